/** Subpaths `./providers/azure` and `./providers/azure.models`: Azure. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const azureProvider = (): Provider => builtinProviderOf("azure");
export const azureModels = (): Model[] => getBuiltinModels("azure");
