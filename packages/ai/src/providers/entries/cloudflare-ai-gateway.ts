/** Subpaths `./providers/cloudflare-ai-gateway` and `./providers/cloudflare-ai-gateway.models`: Cloudflare AI Gateway. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const cloudflareAiGatewayProvider = (): Provider => builtinProviderOf("cloudflare-ai-gateway");
export const cloudflareAiGatewayModels = (): Model[] => getBuiltinModels("cloudflare-ai-gateway");
