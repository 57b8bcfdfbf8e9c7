/** Subpaths `./providers/zai` and `./providers/zai.models`: Z.AI. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const zaiProvider = (): Provider => builtinProviderOf("zai");
export const zaiModels = (): Model[] => getBuiltinModels("zai");
