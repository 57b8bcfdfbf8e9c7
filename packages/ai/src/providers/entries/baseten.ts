/** Subpaths `./providers/baseten` and `./providers/baseten.models`: Baseten. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const basetenProvider = (): Provider => builtinProviderOf("baseten");
export const basetenModels = (): Model[] => getBuiltinModels("baseten");
