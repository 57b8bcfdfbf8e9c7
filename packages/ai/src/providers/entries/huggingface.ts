/** Subpaths `./providers/huggingface` and `./providers/huggingface.models`: Hugging Face. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const huggingfaceProvider = (): Provider => builtinProviderOf("huggingface");
export const huggingfaceModels = (): Model[] => getBuiltinModels("huggingface");
