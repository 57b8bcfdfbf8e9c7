/** Subpaths `./providers/qwen-token-plan-individual` and `./providers/qwen-token-plan-individual.models`: Qwen Token Plan Individual. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const qwenTokenPlanIndividualProvider = (): Provider => builtinProviderOf("qwen-token-plan-individual");
export const qwenTokenPlanIndividualModels = (): Model[] => getBuiltinModels("qwen-token-plan-individual");
