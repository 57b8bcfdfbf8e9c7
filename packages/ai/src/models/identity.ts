import type { Api, Model } from "../types.js";

/** Narrows a model to one API. */
export function hasApi<A extends Api>(model: Model, api: A): model is Model<A> {
  return model.api === api;
}

interface ModelIdentity {
  id: string;
  provider: string;
  type?: string;
}

/** True when both are given and name the same model: equal provider, id and type (absent type = chat). */
export function modelsAreEqual(a: ModelIdentity | null | undefined, b: ModelIdentity | null | undefined): boolean {
  if (!a || !b) return false;
  return a.id === b.id && a.provider === b.provider && (a.type ?? "chat") === (b.type ?? "chat");
}
