/** Subpaths `./providers/openrouter` and `./providers/openrouter.models`: OpenRouter. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const openrouterProvider = (): Provider => builtinProviderOf("openrouter");
export const openrouterModels = (): Model[] => getBuiltinModels("openrouter");
