/** Subpaths `./providers/google` and `./providers/google.models`: Google. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const googleProvider = (): Provider => builtinProviderOf("google");
export const googleModels = (): Model[] => getBuiltinModels("google");
