/** Subpaths `./providers/nvidia` and `./providers/nvidia.models`: NVIDIA. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const nvidiaProvider = (): Provider => builtinProviderOf("nvidia");
export const nvidiaModels = (): Model[] => getBuiltinModels("nvidia");
