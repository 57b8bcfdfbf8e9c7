/** Subpaths `./providers/fireworks` and `./providers/fireworks.models`: Fireworks. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const fireworksProvider = (): Provider => builtinProviderOf("fireworks");
export const fireworksModels = (): Model[] => getBuiltinModels("fireworks");
