import { defaultProviderAuthContext } from "../auth/auth-context.js";
import { InMemoryCredentialStore } from "../auth/credential-store.js";
import type { AuthCheck, AuthInteraction, AuthResult, AuthType, Credential, LoginOptions } from "../auth/types.js";
import type { AssistantMessageEventStream } from "../event-stream.js";
import { getOpenCodeSessionHeaders, mergeClientIdentity } from "../identity.js";
import { failedAssistantMessage, failedStream, lazyStream } from "../lazy.js";
import { normalizeContext } from "../transcript/context.js";
import type {
  Context,
  Model,
  ProviderHeaders,
  SimpleStreamOptions,
  StreamOptions,
  TranscriptContext,
} from "../types.js";
import { overlayHeaders } from "./headers.js";
import { isModelType } from "./model-type.js";
import { ModelsError } from "./models-error.js";
import { InMemoryModelsStore } from "./models-store.js";
import type { AnyModel, ModelType, ModelTypeMap } from "./other-model-types.js";
import { type RefreshSurroundings, refreshProviders } from "./refresh-providers.js";
import { checkProviderAuth, resolveAuth } from "./resolve-auth.js";
import type {
  AuthOverrides,
  CreateModelsOptions,
  ModelsRefreshOptions,
  ModelsRefreshResult,
  ModelsRequestTransforms,
  MutableModels,
  Provider,
} from "./types.js";

/** An empty collection of providers. Source: llm.md section 5. */
export function createModels(options: CreateModelsOptions = {}): MutableModels {
  return new ModelCollection(options);
}

type RequestOptions = StreamOptions & ModelsRequestTransforms;

/** The collection behind `createModels`. */
class ModelCollection implements MutableModels {
  readonly #providers = new Map<string, Provider>();
  readonly #options: RefreshSurroundings;
  readonly #identity: CreateModelsOptions["identity"];

  constructor({ credentials, modelsStore, authContext, identity }: CreateModelsOptions) {
    this.#options = {
      credentials: credentials ?? new InMemoryCredentialStore(),
      modelsStore: modelsStore ?? new InMemoryModelsStore(),
      authContext: authContext ?? defaultProviderAuthContext(),
    };
    this.#identity = identity;
  }

  setProvider(provider: Provider): void {
    this.#providers.set(provider.id, provider);
  }

  deleteProvider(id: string): boolean {
    return this.#providers.delete(id);
  }

  clearProviders(): void {
    this.#providers.clear();
  }

  getProviders(): readonly Provider[] {
    return [...this.#providers.values()];
  }

  getProvider(id: string): Provider | undefined {
    return this.#providers.get(id);
  }

  getModels(provider?: string): readonly Model[] {
    return this.#selected(provider).flatMap((each) => each.getModels());
  }

  getModel(provider: string, id: string): Model | undefined {
    return this.#providers
      .get(provider)
      ?.getModels()
      .find((model) => model.id === id);
  }

  getModelsOfType<T extends ModelType>(type: T, provider?: string): readonly ModelTypeMap[T][] {
    return this.getAllModels(provider).filter((model): model is ModelTypeMap[T] => isModelType(model, type));
  }

  getModelOfType<T extends ModelType>(type: T, provider: string, id: string): ModelTypeMap[T] | undefined {
    return this.getModelsOfType(type, provider).find((model) => model.id === id);
  }

  getAllModels(provider?: string): readonly AnyModel[] {
    return this.#selected(provider).flatMap((each) => each.getAllModels?.() ?? each.getModels());
  }

  refresh(options: ModelsRefreshOptions = {}): Promise<ModelsRefreshResult> {
    const { providers } = options;
    const selected = this.getProviders().filter(({ id }) => !providers || providers.includes(id));
    return refreshProviders(selected, this.#options, options);
  }

  async checkAuth(id: string, { signal }: { signal?: AbortSignal | undefined } = {}): Promise<AuthCheck | undefined> {
    const provider = this.#providers.get(id);
    return provider && checkProviderAuth(provider, this.#options, signal);
  }

  async getAvailable(provider?: string, options: { signal?: AbortSignal | undefined } = {}): Promise<readonly Model[]> {
    const lists = await this.#ofUsable(provider, options.signal, (each, credential) => {
      const models = each.getModels();
      return each.filterModels?.(models, credential) ?? models;
    });
    return lists.flat();
  }

  async getAvailableOfType<T extends ModelType>(
    type: T,
    provider?: string,
    options: { signal?: AbortSignal | undefined } = {},
  ): Promise<readonly ModelTypeMap[T][]> {
    const all = await this.getAllAvailable(provider, options);
    return all.filter((model): model is ModelTypeMap[T] => isModelType(model, type));
  }

  async getAllAvailable(
    provider?: string,
    options: { signal?: AbortSignal | undefined } = {},
  ): Promise<readonly AnyModel[]> {
    const lists = await this.#ofUsable(provider, options.signal, (each, credential): readonly AnyModel[] => {
      const models = each.getAllModels?.() ?? each.getModels();
      return each.filterAllModels?.(models, credential) ?? models;
    });
    return lists.flat();
  }

  async getAuth(providerOrModel: string | Model, overrides: AuthOverrides = {}): Promise<AuthResult | undefined> {
    const model = typeof providerOrModel === "string" ? undefined : providerOrModel;
    const provider = this.#providers.get(model?.provider ?? (providerOrModel as string));
    if (!provider) return undefined;
    const result = await resolveAuth(provider, this.#options, overrides);
    if (!result) return undefined;
    const headers = await provider.resolveHeaders?.(model, result);
    return headers
      ? { ...result, auth: { ...result.auth, headers: overlayHeaders(result.auth.headers, headers) } }
      : result;
  }

  async login(id: string, type: AuthType, interaction: AuthInteraction, options?: LoginOptions): Promise<Credential> {
    const provider = this.#require(id);
    const signal = interaction.signal ?? new AbortController().signal;
    const own = { signal, prompt: interaction.prompt.bind(interaction), notify: interaction.notify.bind(interaction) };
    const credential =
      type === "oauth" ? await provider.auth.oauth?.login(own, options) : await provider.auth.apiKey?.login?.(own);
    if (!credential) {
      const way = type === "oauth" ? "signing in" : "entering a key";
      throw new ModelsError("provider", `Provider ${id} does not support ${way}.`);
    }
    // Nothing was entered: what is stored stays.
    if (isEmpty(credential)) return credential;
    await this.#options.credentials.modify(id, async () => credential, { signal });
    return credential;
  }

  async logout(id: string, options: { signal?: AbortSignal | undefined } = {}): Promise<void> {
    await this.#options.credentials.delete(id, options);
  }

  stream(
    model: Model,
    context: Context | TranscriptContext,
    options: RequestOptions = {},
  ): AssistantMessageEventStream {
    return this.#request(model, context, options, (provider, ...request) => provider.stream(...request));
  }

  complete(model: Model, context: Context | TranscriptContext, options: RequestOptions = {}) {
    return this.stream(model, context, options).result();
  }

  streamSimple(
    model: Model,
    context: Context | TranscriptContext,
    options: SimpleStreamOptions & ModelsRequestTransforms = {},
  ): AssistantMessageEventStream {
    return this.#request(model, context, options, (provider, ...request) => provider.streamSimple(...request));
  }

  completeSimple(
    model: Model,
    context: Context | TranscriptContext,
    options: SimpleStreamOptions & ModelsRequestTransforms = {},
  ) {
    return this.streamSimple(model, context, options).result();
  }

  async fetchDeferred(...[model, handle, options = {}]: Parameters<MutableModels["fetchDeferred"]>) {
    const provider = this.#require(model.provider);
    if (!provider.fetchDeferred) {
      return failedAssistantMessage(model, "error", `Provider ${provider.id} has no deferred answers`);
    }
    const request = await this.#assembled(provider, model, options);
    return provider.fetchDeferred(request.model, handle, request.options);
  }

  async cancelDeferred(...[model, handle, options = {}]: Parameters<MutableModels["cancelDeferred"]>) {
    const provider = this.#require(model.provider);
    const request = await this.#assembled(provider, model, options);
    await provider.cancelDeferred?.(request.model, handle, request.options);
  }

  async generateImages(...[model, context, options]: Parameters<MutableModels["generateImages"]>) {
    const provider = this.#providers.get(model.provider);
    const fail = (errorMessage: string) => ({ output: [], stopReason: "error" as const, errorMessage });
    if (!provider?.generateImages) return fail(`Provider ${model.provider} makes no images`);
    try {
      const auth = await this.getAuth(model.provider, { apiKey: options?.apiKey, signal: options?.signal });
      return await provider.generateImages(model, context, {
        ...options,
        apiKey: options?.apiKey ?? auth?.auth.apiKey,
      });
    } catch (error) {
      return fail(error instanceof Error ? error.message : String(error));
    }
  }

  async classify(...[model, context, options]: Parameters<MutableModels["classify"]>) {
    const provider = this.#providers.get(model.provider);
    const fail = (errorMessage: string) => ({ answers: [], stopReason: "error" as const, errorMessage });
    if (!provider?.classify) return fail(`Provider ${model.provider} classifies nothing`);
    try {
      const auth = await this.getAuth(model.provider, { apiKey: options?.apiKey, signal: options?.signal });
      return await provider.classify(model, context, { ...options, apiKey: options?.apiKey ?? auth?.auth.apiKey });
    } catch (error) {
      return fail(error instanceof Error ? error.message : String(error));
    }
  }

  #request<O extends RequestOptions>(
    model: Model,
    context: Context | TranscriptContext,
    options: O,
    start: (provider: Provider, model: Model, context: TranscriptContext, options: O) => AssistantMessageEventStream,
  ): AssistantMessageEventStream {
    const provider = this.#providers.get(model.provider);
    if (!provider) return failedStream(model, `Unknown provider: ${model.provider}`);
    const setup = async (): Promise<AssistantMessageEventStream> => {
      const request = await this.#assembled(provider, model, options);
      return start(provider, request.model, normalizeContext(context), request.options);
    };
    return lazyStream(model, setup, undefined, options.signal);
  }

  /** In this order: auth, base URL, headers, `transformHeaders`, key, variables. Source: llm.md section 5. */
  async #assembled<O extends RequestOptions>(
    provider: Provider,
    model: Model,
    options: O,
  ): Promise<{ model: Model; options: O }> {
    const { apiKey, env, signal } = options;
    const result = await this.getAuth(model, { apiKey: apiKey?.trim() || undefined, env, signal });
    if (!result) throw new ModelsError("auth", `Provider is not configured: ${provider.id}`);
    const { auth } = result;
    const requestModel = auth.baseUrl === undefined ? model : { ...model, baseUrl: auth.baseUrl };
    let headers: ProviderHeaders = overlayHeaders(
      getOpenCodeSessionHeaders(requestModel, options.sessionId),
      provider.headers,
      auth.headers,
      options.headers,
    );
    const { transformHeaders, ...rest } = options;
    if (transformHeaders) headers = (await transformHeaders(headers)) ?? headers;
    const assembled: RequestOptions = { ...rest, headers, apiKey: apiKey?.trim() ? apiKey : auth.apiKey };
    const variables = { ...result.env, ...env };
    if (Object.keys(variables).length > 0) assembled.env = variables;
    const identity = mergeClientIdentity(this.#identity, options.identity);
    if (identity) assembled.identity = identity;
    return { model: requestModel, options: assembled as O };
  }

  #selected(provider: string | undefined): readonly Provider[] {
    if (provider === undefined) return this.getProviders();
    const found = this.#providers.get(provider);
    return found ? [found] : [];
  }

  async #ofUsable<T>(
    provider: string | undefined,
    signal: AbortSignal | undefined,
    models: (provider: Provider, credential: Credential | undefined) => T,
  ): Promise<T[]> {
    const lists: T[] = [];
    for (const each of this.#selected(provider)) {
      if (!(await checkProviderAuth(each, this.#options, signal))) continue;
      lists.push(models(each, await this.#options.credentials.read(each.id, { signal })));
    }
    return lists;
  }

  #require(id: string): Provider {
    const provider = this.#providers.get(id);
    if (!provider) throw new ModelsError("provider", `Unknown provider: ${id}`);
    return provider;
  }
}

function isEmpty(credential: Credential): boolean {
  return credential.type === "api_key" && !credential.key && !credential.env;
}
