/** Subpaths `./providers/amazon-bedrock` and `./providers/amazon-bedrock.models`: Amazon Bedrock. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const amazonBedrockProvider = (): Provider => builtinProviderOf("amazon-bedrock");
export const amazonBedrockModels = (): Model[] => getBuiltinModels("amazon-bedrock");
