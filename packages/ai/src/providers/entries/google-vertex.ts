/** Subpaths `./providers/google-vertex` and `./providers/google-vertex.models`: Google Vertex AI. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const googleVertexProvider = (): Provider => builtinProviderOf("google-vertex");
export const googleVertexModels = (): Model[] => getBuiltinModels("google-vertex");
