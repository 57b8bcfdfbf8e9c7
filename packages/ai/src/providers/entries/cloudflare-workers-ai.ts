/** Subpaths `./providers/cloudflare-workers-ai` and `./providers/cloudflare-workers-ai.models`: Cloudflare Workers AI. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const cloudflareWorkersAiProvider = (): Provider => builtinProviderOf("cloudflare-workers-ai");
export const cloudflareWorkersAiModels = (): Model[] => getBuiltinModels("cloudflare-workers-ai");
