/** Subpaths `./providers/meta` and `./providers/meta.models`: Meta. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const metaProvider = (): Provider => builtinProviderOf("meta");
export const metaModels = (): Model[] => getBuiltinModels("meta");
