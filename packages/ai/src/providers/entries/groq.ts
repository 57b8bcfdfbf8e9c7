/** Subpaths `./providers/groq` and `./providers/groq.models`: Groq. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const groqProvider = (): Provider => builtinProviderOf("groq");
export const groqModels = (): Model[] => getBuiltinModels("groq");
