/** Subpaths `./providers/together` and `./providers/together.models`: Together. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const togetherProvider = (): Provider => builtinProviderOf("together");
export const togetherModels = (): Model[] => getBuiltinModels("together");
