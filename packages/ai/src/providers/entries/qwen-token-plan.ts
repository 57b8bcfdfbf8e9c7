/** Subpaths `./providers/qwen-token-plan` and `./providers/qwen-token-plan.models`: Qwen Token Plan Team. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const qwenTokenPlanProvider = (): Provider => builtinProviderOf("qwen-token-plan");
export const qwenTokenPlanModels = (): Model[] => getBuiltinModels("qwen-token-plan");
