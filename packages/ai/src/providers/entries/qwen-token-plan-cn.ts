/** Subpaths `./providers/qwen-token-plan-cn` and `./providers/qwen-token-plan-cn.models`: Qwen Token Plan Team CN. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const qwenTokenPlanCnProvider = (): Provider => builtinProviderOf("qwen-token-plan-cn");
export const qwenTokenPlanCnModels = (): Model[] => getBuiltinModels("qwen-token-plan-cn");
