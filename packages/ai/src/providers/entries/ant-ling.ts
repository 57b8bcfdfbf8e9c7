/** Subpaths `./providers/ant-ling` and `./providers/ant-ling.models`: Ant Ling. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const antLingProvider = (): Provider => builtinProviderOf("ant-ling");
export const antLingModels = (): Model[] => getBuiltinModels("ant-ling");
