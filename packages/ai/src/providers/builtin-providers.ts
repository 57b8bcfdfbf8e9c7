import { getApiProvider } from "../api-registry.js";
import { failedStream, startSafely } from "../lazy.js";
import { createModels } from "../models/create-models.js";
import type { AnyModel } from "../models/other-model-types.js";
import type { CreateModelsOptions, MutableModels, Provider } from "../models/types.js";
import type { Model } from "../types.js";
import { getBuiltinModels } from "./catalogue.js";
import { type OAuthClientSource, providerAuth } from "./provider-auth.js";
import { findProviderInfo, type ProviderInfo, providerTable } from "./provider-table.js";

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

/** When the bundled figures were taken, in Unix ms. */
export function getBuiltinModelDataGeneratedAt(): number | undefined {
  return Date.UTC(2026, 10, 20);
}

/** A copy of the list of the catalogue, the same one each time. */
function builtinProvider(info: ProviderInfo, oauthClients: OAuthClientSource | undefined): Provider {
  const { id, name, baseUrl } = info;
  let models: readonly Model[] | undefined;
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
    ...registeredStreams(id),
  };
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

/** A provider's row under the id it has now; ids that were renamed are understood. */
export function currentProviderId(id: string): string {
  return findProviderInfo(id)?.id ?? id;
}
