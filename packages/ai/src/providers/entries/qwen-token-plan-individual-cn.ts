/** Subpaths `./providers/qwen-token-plan-individual-cn` and `./providers/qwen-token-plan-individual-cn.models`: Qwen Token Plan Individual CN. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const qwenTokenPlanIndividualCnProvider = (): Provider => builtinProviderOf("qwen-token-plan-individual-cn");
export const qwenTokenPlanIndividualCnModels = (): Model[] => getBuiltinModels("qwen-token-plan-individual-cn");
