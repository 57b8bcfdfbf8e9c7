/** Subpaths `./providers/deepseek` and `./providers/deepseek.models`: DeepSeek. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const deepseekProvider = (): Provider => builtinProviderOf("deepseek");
export const deepseekModels = (): Model[] => getBuiltinModels("deepseek");
