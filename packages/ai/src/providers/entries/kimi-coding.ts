/** Subpaths `./providers/kimi-coding` and `./providers/kimi-coding.models`: Kimi For Coding. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const kimiCodingProvider = (): Provider => builtinProviderOf("kimi-coding");
export const kimiCodingModels = (): Model[] => getBuiltinModels("kimi-coding");
