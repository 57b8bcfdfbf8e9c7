/** Subpaths `./providers/openai` and `./providers/openai.models`: OpenAI. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const openaiProvider = (): Provider => builtinProviderOf("openai");
export const openaiModels = (): Model[] => getBuiltinModels("openai");
