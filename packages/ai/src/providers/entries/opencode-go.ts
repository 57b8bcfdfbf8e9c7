/** Subpaths `./providers/opencode-go` and `./providers/opencode-go.models`: OpenCode Go. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const opencodeGoProvider = (): Provider => builtinProviderOf("opencode-go");
export const opencodeGoModels = (): Model[] => getBuiltinModels("opencode-go");
