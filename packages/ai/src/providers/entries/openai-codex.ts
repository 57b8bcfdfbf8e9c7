/** Subpaths `./providers/openai-codex` and `./providers/openai-codex.models`: OpenAI Codex. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const openaiCodexProvider = (): Provider => builtinProviderOf("openai-codex");
export const openaiCodexModels = (): Model[] => getBuiltinModels("openai-codex");
