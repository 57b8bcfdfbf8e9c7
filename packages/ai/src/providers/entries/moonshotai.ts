/** Subpaths `./providers/moonshotai` and `./providers/moonshotai.models`: Moonshot AI. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const moonshotaiProvider = (): Provider => builtinProviderOf("moonshotai");
export const moonshotaiModels = (): Model[] => getBuiltinModels("moonshotai");
