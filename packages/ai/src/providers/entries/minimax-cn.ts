/** Subpaths `./providers/minimax-cn` and `./providers/minimax-cn.models`: MiniMax CN. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const minimaxCnProvider = (): Provider => builtinProviderOf("minimax-cn");
export const minimaxCnModels = (): Model[] => getBuiltinModels("minimax-cn");
