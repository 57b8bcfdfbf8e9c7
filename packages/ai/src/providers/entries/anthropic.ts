/** Subpaths `./providers/anthropic` and `./providers/anthropic.models`: Anthropic. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const anthropicProvider = (): Provider => builtinProviderOf("anthropic");
export const anthropicModels = (): Model[] => getBuiltinModels("anthropic");
