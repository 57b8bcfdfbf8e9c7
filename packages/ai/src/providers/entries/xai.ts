/** Subpaths `./providers/xai` and `./providers/xai.models`: xAI. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const xaiProvider = (): Provider => builtinProviderOf("xai");
export const xaiModels = (): Model[] => getBuiltinModels("xai");
