/** Subpaths `./providers/xiaomi-token-plan-sgp` and `./providers/xiaomi-token-plan-sgp.models`: Xiaomi Token Plan SGP. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const xiaomiTokenPlanSgpProvider = (): Provider => builtinProviderOf("xiaomi-token-plan-sgp");
export const xiaomiTokenPlanSgpModels = (): Model[] => getBuiltinModels("xiaomi-token-plan-sgp");
