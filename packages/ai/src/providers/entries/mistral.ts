/** Subpaths `./providers/mistral` and `./providers/mistral.models`: Mistral. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const mistralProvider = (): Provider => builtinProviderOf("mistral");
export const mistralModels = (): Model[] => getBuiltinModels("mistral");
