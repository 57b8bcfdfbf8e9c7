/** Subpaths `./providers/radius` and `./providers/radius.models`: Radius. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const radiusProvider = (): Provider => builtinProviderOf("radius");
export const radiusModels = (): Model[] => getBuiltinModels("radius");
