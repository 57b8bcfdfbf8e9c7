/** Subpaths `./providers/moonshotai-cn` and `./providers/moonshotai-cn.models`: Moonshot AI CN. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const moonshotaiCnProvider = (): Provider => builtinProviderOf("moonshotai-cn");
export const moonshotaiCnModels = (): Model[] => getBuiltinModels("moonshotai-cn");
