/** The models as extensions see them: a facade over the runtime with synchronous reads. Source: llm.md section 12. */
import type {
  AnyModel,
  AuthResult,
  Model,
  Models,
  ModelsRefreshOptions,
  ModelsRefreshResult,
  ModelType,
  ModelTypeMap,
  Provider,
  ProviderEnv,
  ProviderHeaders,
} from "@earendil-works/pi-ai";
import type { AuthStatus } from "./models/auth-status.js";
import type { ModelRuntime } from "./models/model-runtime.js";
import type { ProviderConfig } from "./models/provider-config.js";

/** What a request of one's own needs, or why it cannot be made. */
export type ApiKeyAndHeaders =
  | { ok: true; apiKey?: string; headers?: ProviderHeaders; baseUrl?: string; env?: ProviderEnv }
  | { ok: false; error: string };

/** Where registrations of providers go. */
export type ProviderRegistrar = Pick<
  ModelRuntime,
  "registerProvider" | "registerNativeProvider" | "unregisterProvider"
>;

export class ModelRegistry {
  readonly #runtime: ModelRuntime;
  readonly #providers: () => ProviderRegistrar;

  /**
   * @param providers where registrations go. Those of extensions are known to their session, whose model may be
   *   another one then, and end with the extensions. Default: straight to the runtime
   */
  constructor(runtime: ModelRuntime, providers: () => ProviderRegistrar = () => runtime) {
    this.#runtime = runtime;
    this.#providers = providers;
  }

  /** All chat models. */
  getAll(): Model[] {
    return [...this.#runtime.getModels()];
  }

  /** The chat models that can be used, as far as it is known now. */
  getAvailable(): Model[] {
    return [...this.#runtime.getAvailableSnapshot()];
  }

  find(provider: string, id: string): Model | undefined {
    return this.#runtime.getModel(provider, id);
  }

  findOfType<T extends ModelType>(type: T, provider: string, id: string): ModelTypeMap[T] | undefined {
    return this.#runtime.getModelOfType(type, provider, id);
  }

  getModelOfType<T extends ModelType>(type: T, provider: string, id: string): ModelTypeMap[T] | undefined {
    return this.findOfType(type, provider, id);
  }

  getModelsOfType<T extends ModelType>(type: T, provider?: string): readonly ModelTypeMap[T][] {
    return this.#runtime.getModelsOfType(type, provider);
  }

  getAvailableOfType<T extends ModelType>(type: T): readonly ModelTypeMap[T][] {
    const usable = (model: AnyModel) => this.#runtime.hasConfiguredAuth(model.provider);
    return this.#runtime.getModelsOfType(type).filter(usable);
  }

  /** Reads models.json again, and asks providers that have catalogues of their own. */
  refresh(options?: ModelsRefreshOptions): Promise<ModelsRefreshResult> {
    return this.#runtime.refresh(options);
  }

  /** What is wrong with models.json, if anything. */
  getError(): string | undefined {
    return this.#runtime.getError();
  }

  hasConfiguredAuth(model: Pick<Model, "provider">): boolean {
    return this.#runtime.hasConfiguredAuth(model.provider);
  }

  getProviderAuthStatus(provider: string): AuthStatus {
    return this.#runtime.getProviderAuthStatus(provider);
  }

  getProvider(provider: string): Provider | undefined {
    return this.#runtime.getProvider(provider);
  }

  getProviderDisplayName(provider: string): string {
    return this.#runtime.getProvider(provider)?.name ?? provider;
  }

  isUsingOAuth(model: Pick<Model, "provider">): boolean {
    return this.#runtime.isUsingOAuth(model.provider);
  }

  async getApiKeyAndHeaders(model: Model): Promise<ApiKeyAndHeaders> {
    try {
      const { auth, env } = await this.#runtime.requireAuth(model);
      return { ok: true, ...auth, ...(env && { env }) };
    } catch (error) {
      return { ok: false, error: error instanceof Error ? error.message : String(error) };
    }
  }

  /** Undefined when there is none, or it cannot be resolved. */
  async getApiKeyForProvider(provider: string): Promise<string | undefined> {
    try {
      return (await this.#runtime.getAuth(provider))?.auth.apiKey;
    } catch {
      return undefined;
    }
  }

  getProviderAuth(provider: string): Promise<AuthResult | undefined> {
    return this.#runtime.getAuth(provider);
  }

  stream: Models["stream"] = (model, context, options) => this.#runtime.stream(model, context, options);
  streamSimple: Models["streamSimple"] = (model, context, options) =>
    this.#runtime.streamSimple(model, context, options);
  complete: Models["completeSimple"] = (model, context, options) =>
    this.#runtime.completeSimple(model, context, options);
  classify: Models["classify"] = (...args) => this.#runtime.classify(...args);
  generateImages: Models["generateImages"] = (...args) => this.#runtime.generateImages(...args);

  /** @throws Error naming what is missing; nothing changes then */
  registerProvider(provider: Provider): void;
  registerProvider(name: string, config: ProviderConfig): void;
  registerProvider(provider: string | Provider, config: ProviderConfig = {}): void {
    if (typeof provider === "string") this.#providers().registerProvider(provider, config);
    else this.#providers().registerNativeProvider(provider);
  }

  unregisterProvider(name: string): void {
    this.#providers().unregisterProvider(name);
  }

  getRegisteredProviderIds(): string[] {
    return this.#runtime.getRegisteredProviderIds();
  }

  getRegisteredProviderConfig(name: string): ProviderConfig | undefined {
    return this.#runtime.getRegisteredProviderConfig(name);
  }

  getRegisteredNativeProvider(name: string): Provider | undefined {
    return this.#runtime.getRegisteredNativeProvider(name);
  }

  /** @throws Error: routed models are not available in this release */
  registerVirtualModel(definition: unknown): never {
    return this.#runtime.registerVirtualModel(definition);
  }

  /** Nothing to remove: there are no routed models in this release. */
  unregisterVirtualModel(provider: string, id: string): void {
    this.#runtime.unregisterVirtualModel(provider, id);
  }
}
