import { failedStream, startSafely } from "../lazy.js";
import type { ProviderStreams } from "../provider-streams.js";
import type { Api, Model } from "../types.js";
import { getModelType, isModelType } from "./model-type.js";
import { ModelsError } from "./models-error.js";
import type { AnyModel } from "./other-model-types.js";
import type { CreateProviderOptions, Provider, RefreshModelsContext } from "./types.js";

/**
 * A provider from its parts. Models without an implementation of their API fail when they are asked.
 *
 * ```ts
 * const provider = createProvider({
 *   id: "mine",
 *   auth: { apiKey: envApiKeyAuth("my key", ["MY_KEY"]) },
 *   models: [{ id: "m", name: "M", api: "openai-completions", provider: "mine", ... }],
 *   api: openAICompletionsApi(),
 * });
 * ```
 * @throws Error `Provider X: at least one of "api", "images", or "classifiers" is required.`
 */
export function createProvider<A extends Api = Api>(options: CreateProviderOptions<A>): Provider<A> {
  const { id, name = id, baseUrl, headers, auth, api, images, classifiers, fetchModels, filterModels } = options;
  if (!api && !images && !classifiers) {
    throw new Error(`Provider ${id}: at least one of "api", "images", or "classifiers" is required.`);
  }
  let all: readonly AnyModel[] = options.models;
  let chat: readonly Model<A>[] | undefined;

  const streams = (model: Model): ProviderStreams | undefined => implementation(api, model.api, "stream");
  const unimplemented = (model: { api: string }): string =>
    `Provider ${id} has no API implementation for "${model.api}"`;

  const provider: Provider<A> = {
    id,
    name,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(headers && { headers }),
    auth,
    getModels() {
      chat ??= all.filter((model) => isModelType(model, "chat")) as Model<A>[];
      return chat;
    },
    getAllModels: () => all,
    ...(filterModels && { filterModels }),
    stream(model, context, requestOptions) {
      const found = streams(model);
      if (!found) return failedStream(model, unimplemented(model));
      return startSafely(model, () => found.stream(model, context, requestOptions));
    },
    streamSimple(model, context, requestOptions) {
      const found = streams(model);
      if (!found) return failedStream(model, unimplemented(model));
      return startSafely(model, () => found.streamSimple(model, context, requestOptions));
    },
  };
  if (fetchModels) {
    provider.refreshModels = (context) =>
      refresh(id, context, fetchModels, (models) => {
        all = models;
        chat = undefined;
      });
  }
  if (images) {
    provider.generateImages = async (model, context, requestOptions) => {
      const found = implementation(images, model.api, "generateImages");
      if (!found) return { output: [], stopReason: "error", errorMessage: unimplemented(model) };
      return found.generateImages(model, context, requestOptions);
    };
  }
  if (classifiers) {
    provider.classify = async (model, context, requestOptions) => {
      const found = implementation(classifiers, model.api, "classify");
      if (!found) return { answers: [], stopReason: "error", errorMessage: unimplemented(model) };
      return found.classify(model, context, requestOptions);
    };
  }
  return provider;
}

/** What is stored comes into force first, so that a slow or absent network leaves the last known list. */
async function refresh(
  id: string,
  context: RefreshModelsContext,
  fetchModels: (context: RefreshModelsContext) => Promise<readonly AnyModel[]>,
  update: (models: readonly AnyModel[]) => void,
): Promise<void> {
  const { stored } = context;
  if (stored) await context.publish({ update: () => update(stored.models) });
  if (!context.allowNetwork) return;
  const models = await fetchModels(context);
  if (!Array.isArray(models)) throw new ModelsError("model_source", `Provider ${id} returned no list of models`);
  const broken = models.findIndex((model) => typeof model?.id !== "string" || model.id === "");
  if (broken >= 0) {
    throw new ModelsError("model_validation", `Provider ${id} returned a model without an id at position ${broken}`);
  }
  const own = models.map((model) => ({ ...model, provider: id, type: getModelType(model) }) as AnyModel);
  await context.publish({ persist: { models: own, checkedAt: Date.now() }, update: () => update(own) });
}

/** The one implementation, or the one for an API. */
function implementation<T extends object>(
  given: T | Readonly<Record<string, T>> | undefined,
  api: string,
  method: string,
): T | undefined {
  if (!given) return undefined;
  if (typeof (given as Record<string, unknown>)[method] === "function") return given as T;
  return Object.hasOwn(given, api) ? (given as Readonly<Record<string, T>>)[api] : undefined;
}
