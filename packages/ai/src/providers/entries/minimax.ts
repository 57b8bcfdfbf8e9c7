/** Subpaths `./providers/minimax` and `./providers/minimax.models`: MiniMax. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const minimaxProvider = (): Provider => builtinProviderOf("minimax");
export const minimaxModels = (): Model[] => getBuiltinModels("minimax");
