/** One provider from its layers: built-in, models.json, extension. Source: llm.md sections 11.1 and 12 (layering). */
import type {
  ApiKeyAuth,
  AuthResult,
  Credential,
  Model,
  ModelsStoreEntry,
  Provider,
  ProviderAuth,
  ProviderHeaders,
  RefreshModelsContext,
} from "@earendil-works/pi-ai";
import {
  findProviderInfo,
  getBuiltinModels,
  type OAuthClientSource,
  onlyAvailable,
  providerAuth,
  refreshBuiltin,
  registeredStreams,
} from "@earendil-works/pi-ai/providers/all";
import { isExpected, KeyError, type RunCommand, resolveHeaders, resolveKey } from "./key-resolution.js";
import { oauthFromConfig } from "./legacy-oauth.js";
import { applyOverrides, applyProviderEntry, customModel, type ProviderEntry, repointed } from "./models-json.js";
import type { ProviderConfig } from "./provider-config.js";

/** What is known about a provider besides what is built in. */
export interface ProviderLayers {
  /** Of models.json. */
  entry?: ProviderEntry | undefined;
  /** Of extensions, in the older form. */
  config?: ProviderConfig | undefined;
  /** Of extensions: takes the place of the built-in provider. */
  native?: Provider | undefined;
}

/** What a composed provider looks at outside. */
export interface ProviderSurroundings {
  /** The stored entry, as last read. */
  stored(provider: string): Credential | undefined;
  /** Whether a credential's key is a configured value. */
  isStored(credential: Credential): boolean;
  /** A catalogue that was fetched, as last read. */
  fetched(provider: string): ModelsStoreEntry | undefined;
  oauthClients: OAuthClientSource;
  /** For values of models.json and of extensions. */
  runCommand: RunCommand;
  /** For values of auth.json. */
  runCommandOnce: RunCommand;
}

/** The provider that requests go to. Lists and ways in are made when they are first asked for. */
export function composeProvider(id: string, layers: ProviderLayers, around: ProviderSurroundings): Provider {
  const { entry, config, native } = layers;
  const info = findProviderInfo(id);
  const streams = native ?? registeredStreams(id);
  const models = new ModelList(id, layers, around);
  let auth: ProviderAuth | undefined;
  const provider: Provider = {
    id,
    name: config?.name ?? entry?.name ?? native?.name ?? info?.name ?? id,
    baseUrl: config?.baseUrl ?? entry?.baseUrl ?? native?.baseUrl ?? (info?.baseUrl || undefined),
    ...(native?.headers && { headers: native.headers }),
    get auth() {
      auth ??= composeAuth(id, layers, around);
      return auth;
    },
    getModels: () => models.get(),
    resolveHeaders: (model, result) => headersOf(id, layers, around.runCommand, model, result),
    stream: (model, context, options) =>
      config?.streamSimple && model.api === config.api
        ? config.streamSimple(model, context, options)
        : streams.stream(model, context, options),
    streamSimple: (model, context, options) =>
      config?.streamSimple && model.api === config.api
        ? config.streamSimple(model, context, options)
        : streams.streamSimple(model, context, options),
    ...(native?.filterModels && { filterModels: native.filterModels.bind(native) }),
    ...(native?.getAllModels && { getAllModels: () => [...models.get(), ...nonChat(native)] }),
    ...(native?.refreshModelsAuth && { refreshModelsAuth: native.refreshModelsAuth }),
    ...(id === "github-copilot" && !native && { filterModels: onlyAvailable }),
  };
  if (config?.refreshModels) provider.refreshModels = (context) => models.refreshFromConfig(context);
  else if (native) {
    if (native.refreshModels) provider.refreshModels = native.refreshModels.bind(native);
  } else if (info) {
    // Built-in catalogues are asked for by `pi update --models` only, not whenever a list is opened.
    provider.refreshModels = (context) => (context.force ? refreshBuiltin(id, context) : Promise.resolve());
  }
  return provider;
}

/** The models of a provider, computed again when one of their sources changed. */
class ModelList {
  readonly #id: string;
  readonly #layers: ProviderLayers;
  readonly #around: ProviderSurroundings;
  /** What the extension last returned. */
  #refreshed: ProviderConfig["models"];
  #sources: readonly unknown[] = [];
  #models: readonly Model[] = [];

  constructor(id: string, layers: ProviderLayers, around: ProviderSurroundings) {
    this.#id = id;
    this.#layers = layers;
    this.#around = around;
  }

  get(): readonly Model[] {
    const { config, native } = this.#layers;
    const credential = config?.oauth?.modifyModels ? this.#around.stored(this.#id) : undefined;
    const sources = [native?.getModels(), this.#around.fetched(this.#id), this.#refreshed, credential];
    if (this.#sources.length === 0 || sources.some((source, index) => source !== this.#sources[index])) {
      this.#sources = sources;
      this.#models = this.#compute(credential);
    }
    return this.#models;
  }

  async refreshFromConfig(context: RefreshModelsContext): Promise<void> {
    const { config } = this.#layers;
    const models = await config?.refreshModels?.(context);
    if (models) await context.publish({ update: () => this.#replace([...models]) });
  }

  #replace(models: NonNullable<ProviderConfig["models"]>): void {
    this.#refreshed = models;
  }

  #compute(credential: Credential | undefined): readonly Model[] {
    const { entry, config, native } = this.#layers;
    const builtin = native
      ? native.getModels()
      : withFetched(getBuiltinModels(this.#id), this.#around.fetched(this.#id));
    let models: readonly Model[] = entry ? applyProviderEntry(this.#id, entry, builtin) : builtin;
    const own = this.#refreshed ?? config?.models;
    if (config && own) {
      const chat = own.filter(({ type = "chat" }) => type === "chat");
      models = chat.map((model) => customModel(this.#id, model, config, builtin));
    } else if (config) models = repointed(models, { ...(config.baseUrl && { baseUrl: config.baseUrl }) });
    if (config?.oauth?.modifyModels && credential?.type === "oauth") {
      models = config.oauth.modifyModels([...models], credential);
    }
    return applyOverrides(models, entry?.modelOverrides);
  }
}

/** What was fetched adds models; those that are bundled keep their figures, which know more. */
function withFetched(builtin: readonly Model[], fetched: ModelsStoreEntry | undefined): readonly Model[] {
  if (!fetched) return builtin;
  const known = new Set(builtin.map(({ id }) => id));
  const added = fetched.models.filter(
    (model): model is Model => (model.type ?? "chat") === "chat" && !known.has(model.id),
  );
  return [...builtin, ...added];
}

function composeAuth(
  id: string,
  { entry, config, native }: ProviderLayers,
  around: ProviderSurroundings,
): ProviderAuth {
  const base = native?.auth ?? providerAuth(id, around.oauthClients);
  const oauth = config?.oauth ? oauthFromConfig(config.oauth) : base.oauth;
  return { apiKey: keyAuth(id, base.apiKey, config?.apiKey ?? entry?.apiKey, around), ...(oauth && { oauth }) };
}

/** In order: the key of the request or the stored entry, the configured key, whatever the base finds around it. */
function keyAuth(
  id: string,
  base: ApiKeyAuth | undefined,
  configured: string | undefined,
  around: ProviderSurroundings,
): ApiKeyAuth {
  const literally = async (key: string, env?: Record<string, string>): Promise<AuthResult> => ({
    auth: { apiKey: key },
    ...(env && { env }),
  });
  const checkBase: NonNullable<ApiKeyAuth["check"]> = async (request) => {
    if (!base || base.check) return base?.check?.(request);
    const result = await base.resolve(request);
    return result && { type: "api_key", ...(result.source !== undefined && { source: result.source }) };
  };
  return {
    name: base?.name ?? `${id} API key`,
    ...(base?.login && { login: base.login.bind(base) }),
    async check(request) {
      const { credential } = request;
      if (credential) {
        const { key, env } = credential;
        if (key !== undefined) return isExpected(key, env) ? { type: "api_key", source: "stored" } : undefined;
        return checkBase(request);
      }
      if (configured !== undefined) {
        return isExpected(configured) ? { type: "api_key", source: "models.json" } : undefined;
      }
      return checkBase(request);
    },
    async resolve(request) {
      const { credential, ctx, signal } = request;
      if (!credential && configured === undefined) return base?.resolve(request);
      const env = credential?.env;
      let key = credential?.key;
      if (credential && key !== undefined && around.isStored(credential)) {
        key = await resolveKey(id, key, around.runCommandOnce, env);
      } else if (!credential && configured !== undefined) key = await resolveKey(id, configured, around.runCommand);
      const own = { type: "api_key" as const, ...(key !== undefined && { key }), ...(env && { env }) };
      const result = await base?.resolve({ ctx, credential: own, signal });
      const found = result ?? (key === undefined ? undefined : await literally(key, env));
      return found && { ...found, source: credential ? "stored" : "models.json" };
    },
  };
}

/** Later ones win: provider (models.json, extension), then model (override, entry, extension). */
async function headersOf(
  id: string,
  { entry, config }: ProviderLayers,
  run: RunCommand,
  model: Model | undefined,
  { auth, env }: AuthResult,
): Promise<ProviderHeaders | undefined> {
  const ofProvider = { ...entry?.headers, ...config?.headers };
  const find = (models: readonly { id: string; headers?: Record<string, string> }[] | undefined) =>
    models?.find((candidate) => candidate.id === model?.id)?.headers;
  const ofModel = model && {
    ...entry?.modelOverrides?.[model.id]?.headers,
    ...find(entry?.models),
    ...find(config?.models),
  };
  const headers: ProviderHeaders = {
    ...(await resolveHeaders(`provider "${id}"`, ofProvider, run, env)),
    ...(await resolveHeaders(`model "${id}/${model?.id}"`, ofModel, run, env)),
  };
  if (config?.authHeader ?? entry?.authHeader) {
    if (!auth.apiKey) throw new KeyError("authHeader requires a resolved API key");
    headers["Authorization"] = `Bearer ${auth.apiKey}`;
  }
  return Object.keys(headers).length > 0 ? headers : undefined;
}

function nonChat(native: Provider) {
  return (native.getAllModels?.() ?? []).filter((model) => (model.type ?? "chat") !== "chat");
}
