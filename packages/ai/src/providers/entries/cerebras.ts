/** Subpaths `./providers/cerebras` and `./providers/cerebras.models`: Cerebras. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const cerebrasProvider = (): Provider => builtinProviderOf("cerebras");
export const cerebrasModels = (): Model[] => getBuiltinModels("cerebras");
