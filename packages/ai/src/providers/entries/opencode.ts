/** Subpaths `./providers/opencode` and `./providers/opencode.models`: OpenCode Zen. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const opencodeProvider = (): Provider => builtinProviderOf("opencode");
export const opencodeModels = (): Model[] => getBuiltinModels("opencode");
