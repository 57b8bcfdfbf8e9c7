import { getApiProvider } from "../api-registry.js";
import { failedStream, startSafely } from "../lazy.js";
import { createModels } from "../models/create-models.js";
import { isModelType } from "../models/model-type.js";
import type { AnyModel, ClassifierModel, ImageModel } from "../models/other-model-types.js";
import type { CreateModelsOptions, MutableModels, Provider, RefreshModelsContext } from "../models/types.js";
import type { Model } from "../types.js";
import { getBuiltinModels } from "./catalogue.js";
import { type OAuthClientSource, providerAuth } from "./provider-auth.js";
import { type BuiltinProvider, findProviderInfo, type ProviderInfo, providerTable } from "./provider-table.js";

export interface BuiltinProvidersOptions {
  /** What the user configured for sign-ins. Default: nothing but the environment. */
  oauthClients?: OAuthClientSource | undefined;
}

/** All built-in providers, in table order. Their models are read when they are first asked for. */
export function builtinProviders({ oauthClients }: BuiltinProvidersOptions = {}): Provider[] {
  return providerTable.map((info) => builtinProvider(info, oauthClients));
}

/** A collection of all built-in providers. */
export function builtinModels(options?: CreateModelsOptions): MutableModels {
  const models = createModels(options);
  for (const provider of builtinProviders()) models.setProvider(provider);
  return models;
}

/** The built-in models of a provider, of every type. Only chat models are bundled. */
export function getAllBuiltinModels(provider: string): AnyModel[] {
  return getBuiltinModels(provider);
}

/** Always undefined: no model that makes images is bundled. */
export function getBuiltinImageModel(_provider: string, _id: string): ImageModel | undefined {
  return undefined;
}

/** Always empty: no model that makes images is bundled. */
export function getBuiltinImageModels(_provider: string): ImageModel[] {
  return [];
}

/** Always undefined: no classifier is bundled. */
export function getBuiltinClassifierModel(_provider: string, _id: string): ClassifierModel | undefined {
  return undefined;
}

/** Always empty: no classifier is bundled. */
export function getBuiltinClassifierModels(_provider: string): ClassifierModel[] {
  return [];
}

/**
 * One built-in provider.
 * @throws Error when there is none of that id
 */
export function builtinProviderOf(id: BuiltinProvider): Provider {
  const info = findProviderInfo(id);
  if (!info) throw new Error(`Unknown provider: ${id}`);
  return builtinProvider(info, undefined);
}

/** When the bundled figures were taken, in Unix ms. */
export function getBuiltinModelDataGeneratedAt(): number | undefined {
  return Date.UTC(2026, 10, 20);
}

/** The list is the same one each time. */
function builtinProvider(info: ProviderInfo, oauthClients: OAuthClientSource | undefined): Provider {
  const { id, name, baseUrl } = info;
  let models: readonly Model[] | undefined;
  /** Models that came after this release; those that are bundled keep their figures, which know more. */
  const add = (fetched: readonly AnyModel[]): void => {
    const bundled = getBuiltinModels(id);
    const known = new Set(bundled.map((model) => model.id));
    const chat = fetched.filter((model): model is Model => isModelType(model, "chat") && !known.has(model.id));
    models = [...bundled, ...chat];
  };
  return {
    id,
    name,
    ...(baseUrl && { baseUrl }),
    auth: providerAuth(id, oauthClients),
    getModels() {
      models ??= getBuiltinModels(id);
      return models;
    },
    ...(id === "github-copilot" && { filterModels: onlyAvailable }),
    async refreshModels(context) {
      const { stored } = context;
      if (stored) await context.publish({ update: () => add(stored.models) });
      await refreshBuiltin(id, {
        ...context,
        publish: (found) => context.publish({ ...found, update: () => add(found.persist?.models ?? []) }),
      });
    },
    ...registeredStreams(id),
  };
}

/** Asks for models that came after this release; what is found lies in the models store. */
export async function refreshBuiltin(id: string, context: RefreshModelsContext): Promise<void> {
  const info = findProviderInfo(id);
  // Without an address of its own there is nowhere to send requests for models that are not bundled.
  if (!info?.baseUrl || !context.allowNetwork) return;
  const { refreshFromModelsDev } = await import("../models/refresh-builtin.js");
  await refreshFromModelsDev(info, context);
}

/** Streams through whatever implements a model's API at the moment: built in, or registered by an extension. */
export function registeredStreams(providerId: string): Pick<Provider, "stream" | "streamSimple"> {
  const missing = (model: Model) =>
    failedStream(model, `Provider ${providerId} has no API implementation for "${model.api}"`);
  return {
    stream(model, context, options) {
      const api = getApiProvider(model.api);
      return api ? startSafely(model, () => api.stream(model, context, options)) : missing(model);
    },
    streamSimple(model, context, options) {
      const api = getApiProvider(model.api);
      return api ? startSafely(model, () => api.streamSimple(model, context, options)) : missing(model);
    },
  };
}

/** The models that the sign-in says the account has. */
export const onlyAvailable: NonNullable<Provider["filterModels"]> = (models, credential) => {
  const ids = credential?.type === "oauth" ? credential["availableModelIds"] : undefined;
  return Array.isArray(ids) ? models.filter(({ id }) => ids.includes(id)) : models;
};
