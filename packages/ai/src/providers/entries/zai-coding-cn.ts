/** Subpaths `./providers/zai-coding-cn` and `./providers/zai-coding-cn.models`: Z.AI Coding CN. */
import type { Provider } from "../../models/types.js";
import type { Model } from "../../types.js";
import { builtinProviderOf } from "../builtin-providers.js";
import { getBuiltinModels } from "../catalogue.js";

export const zaiCodingCnProvider = (): Provider => builtinProviderOf("zai-coding-cn");
export const zaiCodingCnModels = (): Model[] => getBuiltinModels("zai-coding-cn");
