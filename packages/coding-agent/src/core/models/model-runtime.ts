import {
  type AuthCheck,
  type AuthInteraction,
  type AuthOperationOptions,
  type AuthOverrides,
  type AuthResult,
  type AuthType,
  type Credential,
  type CredentialInfo,
  type CredentialStore,
  createModels,
  InMemoryModelsStore,
  type LoginOptions,
  type Model,
  type Models,
  ModelsError,
  type ModelsRefreshOptions,
  type ModelsRefreshResult,
  type ModelsStore,
  type MutableModels,
  type Provider,
} from "@earendil-works/pi-ai";
import { getApiProvider, getApiProviders, getEnvApiKey } from "@earendil-works/pi-ai/compat";
import {
  findProviderInfo,
  getBuiltinModels,
  getBuiltinProviders,
  type OAuthClientOverride,
} from "@earendil-works/pi-ai/providers/all";
import { runConfigCommand } from "../process/config-command.js";
import { agentFolderProblem } from "../storage/agent-folder.js";
import { migrateCredentials } from "./auth-migration.js";
import { type AuthStatus, authStatus } from "./auth-status.js";
import { AuthStorage } from "./auth-storage.js";
import { composeProvider, type ProviderSurroundings } from "./composed-provider.js";
import { CredentialSynchronizationError } from "./credential-synchronization-error.js";
import { KeyError, oncePerProcess, type RunCommand } from "./key-resolution.js";
import { ModelsFileStore } from "./models-file-store.js";
import { type ProviderEntry, readModelsJson } from "./models-json.js";
import { readOAuthClients } from "./oauth-clients.js";
import { mergeProviderConfig, type ProviderConfig, validateProviderConfig } from "./provider-config.js";
import type { ModelPool } from "./resolution.js";
import { type RuntimeFiles, runtimeFiles } from "./runtime-files.js";

export interface CreateModelRuntimeOptions {
  /**
   * Holds auth.json, models.json, models-store.json and auth-clients.json, unless said otherwise. Default: the folder of
   * `authPath`; none with `credentials`; else the user's agent directory.
   */
  agentDir?: string | undefined;
  /** Default: auth.json. */
  credentials?: CredentialStore | undefined;
  authPath?: string | undefined;
  /** Null = without models.json. */
  modelsPath?: string | null | undefined;
  /** Default: models-store.json. */
  modelsStore?: ModelsStore | undefined;
  modelsStorePath?: string | undefined;
  /** Whether a refresh at creation may ask providers. Default false. */
  allowModelNetwork?: boolean | undefined;
  /** Limit for a refresh at creation, in ms. Default 15000. */
  modelRefreshTimeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Default true: extensions' and stored catalogues come into force at creation. */
  refreshOnCreate?: boolean | undefined;
  /** Runs `!command` values. */
  runCommand?: RunCommand | undefined;
}

export interface ModelRuntimeAuthOverrides extends AuthOverrides {}

const DEFAULT_REFRESH_TIMEOUT_MS = 15_000;

/**
 * The models that can be asked, and how: what is built in, with models.json and extensions laid over it, and the user's
 * credentials. Making one reads models.json and nothing else; a provider's models are read when they are asked for.
 * Source: llm.md sections 11 and 12, exports.md section 4.5.
 */
export class ModelRuntime implements Models, ModelPool {
  readonly #inner: MutableModels;
  readonly #credentials: CredentialStore;
  /** Entries of stores that cannot be read at once, as last read. */
  readonly #lastRead = new Map<string, Credential | undefined>();
  readonly #runtimeKeys = new Map<string, string>();
  readonly #around: ProviderSurroundings;
  readonly #files: RuntimeFiles;
  readonly #configs = new Map<string, ProviderConfig>();
  readonly #natives = new Map<string, Provider>();
  /** What natives last said about their ways in, which only they know; until they have said it, they count as usable. */
  readonly #nativeChecks = new Map<string, { done: Promise<void>; isConfigured: boolean }>();
  #entries = new Map<string, ProviderEntry>();
  #error: string | undefined;
  #oauthClients: Readonly<Record<string, OAuthClientOverride>> | undefined;

  /** As `create`, without the refresh. */
  constructor(options: CreateModelRuntimeOptions = {}) {
    const { runCommand = runConfigCommand } = options;
    const files = runtimeFiles(options);
    this.#files = files;
    if (files.mayMigrate && files.folder !== undefined) migrateCredentials(files.folder);
    this.#credentials = options.credentials ?? AuthStorage.create(files.auth);
    const modelsStore =
      options.modelsStore ?? (files.store === undefined ? new InMemoryModelsStore() : new ModelsFileStore(files.store));
    this.#around = {
      stored: (provider) => this.#storedNow(provider),
      isStored: (credential) => this.#credentials instanceof AuthStorage && this.#credentials.isStored(credential),
      fetched: (provider) => (modelsStore instanceof ModelsFileStore ? modelsStore.get(provider) : undefined),
      oauthClients: (provider) => this.#oauthClient(provider),
      runCommand,
      runCommandOnce: oncePerProcess(runCommand),
    };
    this.#inner = createModels({ credentials: this.#credentials, modelsStore });
    this.#reload();
  }

  static async create(options: CreateModelRuntimeOptions = {}): Promise<ModelRuntime> {
    const runtime = new ModelRuntime(options);
    if (options.refreshOnCreate !== false) {
      const limit = AbortSignal.timeout(options.modelRefreshTimeoutMs ?? DEFAULT_REFRESH_TIMEOUT_MS);
      const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit;
      await runtime.#inner.refresh({ allowNetwork: (options.allowModelNetwork ?? false) && !isOffline(), signal });
    }
    return runtime;
  }

  // Catalogue ---------------------------------------------------------------------------------------------------------

  /** What is wrong with models.json, if anything. APIs count as known once somebody has registered them. */
  getError(): string | undefined {
    const unknown = [...this.#entries].flatMap(([id, entry]) => (this.#natives.has(id) ? [] : this.#silent(id, entry)));
    if (unknown.length === 0) return this.#error;
    const known = getApiProviders().map(({ api }) => api);
    const advice = `Known apis: ${known.join(", ")}.\n\nFile: ${this.#files.models}`;
    return [this.#error, `${unknown.join("\n")}\n${advice}`].filter((text) => text !== undefined).join("\n\n");
  }

  getProviders(): readonly Provider[] {
    return this.#inner.getProviders();
  }

  getProvider(id: string): Provider | undefined {
    return this.#inner.getProvider(currentId(id));
  }

  getModels(provider?: string): readonly Model[] {
    return this.#inner.getModels(provider && currentId(provider));
  }

  getModel(provider: string, id: string): Model | undefined {
    return this.#inner.getModel(currentId(provider), id);
  }

  getModelsOfType: Models["getModelsOfType"] = (type, provider) => this.#inner.getModelsOfType(type, provider);
  getModelOfType: Models["getModelOfType"] = (type, provider, id) => this.#inner.getModelOfType(type, provider, id);
  getAllModels: Models["getAllModels"] = (provider) => this.#inner.getAllModels(provider);
  getAvailableOfType: Models["getAvailableOfType"] = (...args) => this.#inner.getAvailableOfType(...args);
  getAllAvailable: Models["getAllAvailable"] = (...args) => this.#inner.getAllAvailable(...args);

  async getAvailable(provider?: string, options?: AuthOperationOptions): Promise<readonly Model[]> {
    await this.#readStored();
    for (const id of this.#natives.keys()) this.#askNative(id);
    await Promise.all([...this.#nativeChecks.values()].map(({ done }) => done));
    options?.signal?.throwIfAborted();
    return this.#available(provider === undefined ? this.providers : [currentId(provider)]);
  }

  /** The models that can be used, as far as it is known now. */
  getAvailableSnapshot(): readonly Model[] {
    return this.#available(this.providers);
  }

  /**
   * Reads models.json again and asks providers for their models; without the network when offline. Never rejects.
   */
  async refresh(options: ModelsRefreshOptions = {}): Promise<ModelsRefreshResult> {
    this.#reload();
    if (this.#credentials instanceof AuthStorage) this.#credentials.reload();
    await this.#readStored();
    return this.#inner.refresh({ ...options, allowNetwork: (options.allowNetwork ?? true) && !isOffline() });
  }

  // Providers of extensions -------------------------------------------------------------------------------------------

  /**
   * Lays `config` over a provider, merged with an earlier one of the same name.
   * @throws Error naming what is missing; nothing changes then
   */
  registerProvider(id: string, config: ProviderConfig): void {
    const merged = mergeProviderConfig(this.#configs.get(id), config);
    validateProviderConfig(id, merged, getBuiltinModels(id));
    this.#configs.set(id, merged);
    this.#compose(id);
  }

  /** Puts a whole provider in the place of the built-in one. */
  registerNativeProvider(provider: Provider): void {
    this.#natives.set(provider.id, provider);
    this.#compose(provider.id);
    this.#askNative(provider.id);
  }

  /** Brings back what was there before the registration; nothing happens for an unknown id. */
  unregisterProvider(id: string): void {
    const known = this.#configs.delete(id);
    this.#nativeChecks.delete(id);
    if (this.#natives.delete(id) || known) this.#compose(id);
  }

  getRegisteredProviderConfig(id: string): ProviderConfig | undefined {
    return this.#configs.get(id);
  }

  getRegisteredNativeProvider(id: string): Provider | undefined {
    return this.#natives.get(id);
  }

  getRegisteredProviderIds(): string[] {
    return [...new Set([...this.#configs.keys(), ...this.#natives.keys()])];
  }

  // Credentials -------------------------------------------------------------------------------------------------------

  checkAuth(provider: string, options?: AuthOperationOptions): Promise<AuthCheck | undefined> {
    const id = currentId(provider);
    if (this.#runtimeKeys.has(id)) return Promise.resolve({ type: "api_key", source: "--api-key" });
    return this.#inner.checkAuth(id, options);
  }

  getAuth(providerOrModel: string | Model, overrides: ModelRuntimeAuthOverrides = {}): Promise<AuthResult | undefined> {
    const target = typeof providerOrModel === "string" ? currentId(providerOrModel) : providerOrModel;
    const id = typeof target === "string" ? target : target.provider;
    return this.#inner.getAuth(target, { ...overrides, apiKey: overrides.apiKey ?? this.#runtimeKeys.get(id) });
  }

  /**
   * As `getAuth`, for whoever cannot go on without.
   * @throws KeyError naming what is missing and what to do, and what `getAuth` throws
   */
  async requireAuth(model: Model): Promise<AuthResult> {
    const auth = await this.getAuth(model).catch((error: unknown) => {
      throw error instanceof ModelsError && error.code === "oauth" ? withRemedy(error, model.provider) : error;
    });
    if (!auth) throw new KeyError(this.#missingKeyText(model.provider));
    return auth;
  }

  /** Whether a key or a sign-in can be expected, without running commands or asking anybody. */
  hasConfiguredAuth(provider: string): boolean {
    return this.getProviderAuthStatus(provider).configured;
  }

  getProviderAuthStatus(provider: string): AuthStatus {
    const id = currentId(provider);
    return authStatus({
      runtimeKey: this.#runtimeKeys.has(id),
      stored: this.#storedNow(id),
      hasOAuth: () => this.#inner.getProvider(id)?.auth.oauth !== undefined,
      extensionKey: this.#configs.get(id)?.apiKey,
      modelsJsonKey: this.#entries.get(id)?.apiKey,
      environmentKey: () => getEnvApiKey(id) !== undefined,
      environmentNames: findProviderInfo(id)?.env ?? [],
      isNative: this.#nativeChecks.get(id)?.isConfigured === true,
    });
  }

  isUsingOAuth(provider: string): boolean {
    const id = currentId(provider);
    return !this.#runtimeKeys.has(id) && this.#storedNow(id)?.type === "oauth";
  }

  isUsingSubscription(provider: string): boolean {
    return this.isUsingOAuth(provider) && this.getProvider(provider)?.auth.oauth?.isSubscription === true;
  }

  /** A key for this process only; never written. */
  setRuntimeApiKey(provider: string, key: string): void {
    this.#runtimeKeys.set(currentId(provider), key);
  }

  removeRuntimeApiKey(provider: string): void {
    this.#runtimeKeys.delete(currentId(provider));
  }

  listCredentials(): Promise<readonly CredentialInfo[]> {
    return this.#credentials.list();
  }

  /** The stored entry of a provider, as last read. */
  getStoredCredential(provider: string): Credential | undefined {
    return this.#storedNow(currentId(provider));
  }

  /** Resolves when credentials that are being written have been written. */
  async settleCredentialWrites(): Promise<void> {
    if (this.#credentials instanceof AuthStorage) await this.#credentials.settle();
  }

  async login(
    provider: string,
    type: AuthType,
    interaction: AuthInteraction,
    options?: LoginOptions,
  ): Promise<Credential> {
    const id = currentId(provider);
    const credential = await this.#inner.login(id, type, interaction, options);
    if (credential.type === "oauth" || credential.key || credential.env) this.#lastRead.set(id, credential);
    return credential;
  }

  async logout(provider: string, options?: AuthOperationOptions): Promise<void> {
    const id = currentId(provider);
    try {
      await this.#inner.logout(id, options);
    } catch (error) {
      throw new CredentialSynchronizationError(id, "logout", this.#storedNow(id), { cause: error });
    }
    this.#lastRead.delete(id);
  }

  // Requests ----------------------------------------------------------------------------------------------------------

  stream: Models["stream"] = (model, context, options) =>
    this.#inner.stream(model, context, this.#withRuntimeKey(model, options));
  complete: Models["complete"] = (model, context, options) => this.stream(model, context, options).result();
  streamSimple: Models["streamSimple"] = (model, context, options) =>
    this.#inner.streamSimple(model, context, this.#withRuntimeKey(model, options));
  completeSimple: Models["completeSimple"] = (model, context, options) =>
    this.streamSimple(model, context, options).result();
  fetchDeferred: Models["fetchDeferred"] = (...args) => this.#inner.fetchDeferred(...args);
  cancelDeferred: Models["cancelDeferred"] = (...args) => this.#inner.cancelDeferred(...args);
  generateImages: Models["generateImages"] = (...args) => this.#inner.generateImages(...args);
  classify: Models["classify"] = (...args) => this.#inner.classify(...args);

  // What resolution looks at ------------------------------------------------------------------------------------------

  get providers(): readonly string[] {
    return this.#inner.getProviders().map(({ id }) => id);
  }

  models(provider: string): readonly Model[] {
    return this.getModels(provider);
  }

  find(provider: string, id: string): Model | undefined {
    return this.getModel(provider, id);
  }

  usable(provider: string): boolean {
    return this.hasConfiguredAuth(provider);
  }

  defaultModelId(provider: string): string | undefined {
    return findProviderInfo(provider)?.defaultModel;
  }

  explainNoModel(): void {
    const error = this.#credentials instanceof AuthStorage ? this.#credentials.getError() : undefined;
    if (error) throw error;
  }

  speaks(api: string): boolean {
    if (getApiProvider(api)) return true;
    return [...this.#configs.values()].some((config) => config.streamSimple && config.api === api);
  }

  // -------------------------------------------------------------------------------------------------------------------

  /** Reads models.json and composes every provider anew. */
  #reload(): void {
    const { models, folder } = this.#files;
    const { entries, error } = models === null ? { entries: new Map() } : readModelsJson(models);
    this.#entries = entries;
    this.#error = error ?? (folder === undefined ? undefined : agentFolderProblem(folder));
    this.#oauthClients = undefined;
    this.#inner.clearProviders();
    for (const id of new Set([...getBuiltinProviders(), ...entries.keys(), ...this.getRegisteredProviderIds()])) {
      this.#compose(id);
    }
  }

  /** Names what an entry gives an API that nobody implements. */
  #silent(id: string, { api, models = [] }: ProviderEntry): string[] {
    const named = models.flatMap((model) => {
      const wanted = model.api ?? api;
      return wanted === undefined || this.speaks(wanted)
        ? []
        : [`Provider "${id}", model "${model.id}": no implementation of api "${wanted}", so it cannot be asked.`];
    });
    if (models.length > 0 || api === undefined || this.speaks(api)) return named;
    return [`Provider "${id}": no implementation of api "${api}".`];
  }

  #compose(id: string): void {
    const layers = { entry: this.#entries.get(id), config: this.#configs.get(id), native: this.#natives.get(id) };
    const exists = Object.values(layers).some((layer) => layer !== undefined) || findProviderInfo(id) !== undefined;
    if (exists) this.#inner.setProvider(composeProvider(id, layers, this.#around));
    else this.#inner.deleteProvider(id);
  }

  #available(providers: readonly string[]): readonly Model[] {
    return providers.flatMap((id) => {
      if (!this.hasConfiguredAuth(id)) return [];
      const provider = this.#inner.getProvider(id);
      const models = provider?.getModels() ?? [];
      return provider?.filterModels?.(models, this.#storedNow(id)) ?? models;
    });
  }

  #askNative(id: string): void {
    const check = { done: Promise.resolve(), isConfigured: this.#nativeChecks.get(id)?.isConfigured ?? true };
    check.done = this.#inner.checkAuth(id).then(
      (result) => {
        check.isConfigured = result !== undefined;
      },
      () => {
        check.isConfigured = false;
      },
    );
    this.#nativeChecks.set(id, check);
  }

  #storedNow(provider: string): Credential | undefined {
    return this.#credentials instanceof AuthStorage ? this.#credentials.get(provider) : this.#lastRead.get(provider);
  }

  /** Of a store that cannot be read at once, what is in it now. */
  async #readStored(): Promise<void> {
    if (this.#credentials instanceof AuthStorage) return;
    this.#lastRead.clear();
    for (const { providerId } of await this.#credentials.list()) {
      this.#lastRead.set(providerId, await this.#credentials.read(providerId));
    }
  }

  #oauthClient(provider: string): OAuthClientOverride | undefined {
    const { oauthClients } = this.#files;
    this.#oauthClients ??= oauthClients === undefined ? {} : readOAuthClients(oauthClients);
    return Object.hasOwn(this.#oauthClients, provider) ? this.#oauthClients[provider] : undefined;
  }

  #withRuntimeKey<O extends { apiKey?: string | undefined }>(model: Model, options: O | undefined): O | undefined {
    const key = this.#runtimeKeys.get(model.provider);
    return key === undefined || options?.apiKey ? options : ({ ...options, apiKey: key } as O);
  }

  #missingKeyText(provider: string): string {
    const variables = findProviderInfo(provider)?.env ?? [];
    const hint = variables.length > 0 ? `Set ${variables.join(" or ")}, run` : "Run";
    // A blank line ends what programs look for. Source: protocol.md section 3.2.
    return (
      `No API key found for ${this.#inner.getProvider(provider) ? provider : "the selected model"}.\n\n${hint} "pi auth login ${provider}", or add an entry for "${provider}" to ` +
      `${this.#files.auth ?? "the credentials of the host"}.`
    );
  }

  // -- Routed models: none in this release, so that each model is a physical one. Source: exports.md section 4.5, [L] ------

  /** @throws Error: routed models are not available in this release */
  registerVirtualModel(_definition: unknown): never {
    throw new Error("registerVirtualModel is not available in this release.");
  }

  /** Nothing to remove. */
  unregisterVirtualModel(_provider: string, _id: string): void {}

  resolveModel(model: Model): Model {
    return model;
  }

  getPhysicalModel(model: Model): Model {
    return model;
  }

  /** @throws Error: not available in this release */
  getCompatibilityRequestConfig(_model: Model): never {
    throw new Error("getCompatibilityRequestConfig is not available in this release.");
  }
}

/** The id a provider has now: references to renamed ones stay good. */
function currentId(id: string): string {
  return findProviderInfo(id)?.id ?? id;
}

/** Automatic traffic is off; what the user asks a model still goes out. */
function isOffline(): boolean {
  return Boolean(process.env["PI_OFFLINE"]);
}

/** A renewal that failed names its reason only as its cause. */
function withRemedy(error: ModelsError, provider: string): ModelsError {
  const { cause } = error;
  const reason = cause instanceof Error && !error.message.includes(cause.message) ? `: ${cause.message}` : "";
  const remedy = `If that stays so, sign in again: pi auth login ${provider}`;
  return new ModelsError("oauth", `${error.message}${reason}. ${remedy}`, { cause });
}
