/** Subpaths `./providers/typesafe` and `./providers/typesafe.models`: TypeSafe. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const typesafeProvider = (): Provider => builtinProviderOf("typesafe");
export const typesafeModels = (): Model[] => getBuiltinModels("typesafe");
