/** Subpaths `./providers/vercel-ai-gateway` and `./providers/vercel-ai-gateway.models`: Vercel AI Gateway. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const vercelAiGatewayProvider = (): Provider => builtinProviderOf("vercel-ai-gateway");
export const vercelAiGatewayModels = (): Model[] => getBuiltinModels("vercel-ai-gateway");
