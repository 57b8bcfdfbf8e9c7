/** Subpaths `./providers/xiaomi-token-plan-ams` and `./providers/xiaomi-token-plan-ams.models`: Xiaomi Token Plan AMS. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const xiaomiTokenPlanAmsProvider = (): Provider => builtinProviderOf("xiaomi-token-plan-ams");
export const xiaomiTokenPlanAmsModels = (): Model[] => getBuiltinModels("xiaomi-token-plan-ams");
