/** Subpaths `./providers/github-copilot` and `./providers/github-copilot.models`: GitHub Copilot. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const githubCopilotProvider = (): Provider => builtinProviderOf("github-copilot");
export const githubCopilotModels = (): Model[] => getBuiltinModels("github-copilot");
