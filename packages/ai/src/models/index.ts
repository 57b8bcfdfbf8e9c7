/** Subpath `./models`: collections of providers, and what one needs to know about their models. */
export { calculateCost } from "./cost.js";
export { createModels } from "./create-models.js";
export { createProvider } from "./create-provider.js";
export { hasApi, modelsAreEqual } from "./identity.js";
export { getModelType, isModelType } from "./model-type.js";
export { ModelsError } from "./models-error.js";
export { clampThinkingLevel, getSupportedThinkingLevels } from "./thinking-levels.js";
export type * from "./types.js";
