import type { AnyModel, ModelType, ModelTypeMap } from "./other-model-types.js";

/** The type of a model; a model without one chats. */
export function getModelType(model: AnyModel): ModelType {
  return model.type ?? "chat";
}

/** Narrows a model to one type. */
export function isModelType<T extends ModelType>(model: AnyModel, type: T): model is ModelTypeMap[T] {
  return getModelType(model) === type;
}
