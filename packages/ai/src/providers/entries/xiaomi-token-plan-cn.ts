/** Subpaths `./providers/xiaomi-token-plan-cn` and `./providers/xiaomi-token-plan-cn.models`: Xiaomi Token Plan CN. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const xiaomiTokenPlanCnProvider = (): Provider => builtinProviderOf("xiaomi-token-plan-cn");
export const xiaomiTokenPlanCnModels = (): Model[] => getBuiltinModels("xiaomi-token-plan-cn");
