/** Subpaths `./providers/xiaomi` and `./providers/xiaomi.models`: Xiaomi. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const xiaomiProvider = (): Provider => builtinProviderOf("xiaomi");
export const xiaomiModels = (): Model[] => getBuiltinModels("xiaomi");
