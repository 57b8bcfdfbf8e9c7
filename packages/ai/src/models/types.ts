/** Providers, collections of them, and catalogues that grow. Source: llm.md section 5, exports.md section 1.1 (Models). */
import type { ApiStreamOptions } from "../api-options.js";
import type {
  AuthCheck,
  AuthContext,
  AuthInteraction,
  AuthOperationOptions,
  AuthResult,
  AuthType,
  Credential,
  CredentialStore,
  LoginOptions,
  ProviderAuth,
} from "../auth/types.js";
import type { AssistantMessageEventStream } from "../event-stream.js";
import type { ProviderStreams } from "../provider-streams.js";
import type {
  Api,
  AssistantMessage,
  ClientIdentity,
  Context,
  DeferredHandle,
  Model,
  ProviderEnv,
  ProviderHeaders,
  SimpleStreamOptions,
  StreamOptions,
  TranscriptContext,
} from "../types.js";
import type {
  AnyModel,
  AssistantImages,
  ClassifierContext,
  ClassifierModel,
  ClassifierOptions,
  ClassifierResult,
  ImageModel,
  ImagesContext,
  ImagesOptions,
  ModelType,
  ModelTypeMap,
  ProviderClassifier,
  ProviderImages,
} from "./other-model-types.js";

// ---------------------------------------------------------------------------------------------------------------------
// Providers

/** Whoever serves models: its catalogue, its ways in, its requests. */
export interface Provider<A extends Api = Api> {
  readonly id: string;
  readonly name: string;
  readonly baseUrl?: string | undefined;
  readonly headers?: ProviderHeaders | undefined;
  readonly auth: ProviderAuth;
  /** The chat models known now; cheap, and the same list until something changes it. */
  getModels(): readonly Model<A>[];
  /** Models of every type; absent = the chat models only. */
  getAllModels?(): readonly AnyModel[];
  /** Asks the provider for its models. Absent = the catalogue is fixed. */
  refreshModels?(context: RefreshModelsContext): Promise<void>;
  /** Whom to refresh for: users with a stored credential, or (default) with any way in. */
  readonly refreshModelsAuth?: "credential" | "configured" | undefined;
  /** The models a user may use. */
  filterModels?(models: readonly Model<A>[], credential: Credential | undefined): readonly Model<A>[];
  filterAllModels?(models: readonly AnyModel[], credential: Credential | undefined): readonly AnyModel[];
  /**
   * Further headers of requests, with configured values looked up for each request. Own addition to the contract:
   * headers of models.json depend on the model, which key resolution does not see.
   * @throws Error naming what cannot be resolved
   */
  resolveHeaders?(model: Model | undefined, auth: AuthResult): Promise<ProviderHeaders | undefined>;
  stream(model: Model, context: TranscriptContext, options?: StreamOptions): AssistantMessageEventStream;
  streamSimple(model: Model, context: TranscriptContext, options?: SimpleStreamOptions): AssistantMessageEventStream;
  fetchDeferred?(model: Model, handle: DeferredHandle, options?: DeferredFetchOptions): Promise<AssistantMessage>;
  cancelDeferred?(model: Model, handle: DeferredHandle, options?: DeferredCancelOptions): Promise<void>;
  generateImages?(model: ImageModel, context: ImagesContext, options?: ImagesOptions): Promise<AssistantImages>;
  classify?(model: ClassifierModel, context: ClassifierContext, options?: ClassifierOptions): Promise<ClassifierResult>;
}

export interface CreateProviderOptions<A extends Api = Api> {
  id: string;
  /** Default: the id. */
  name?: string | undefined;
  baseUrl?: string | undefined;
  headers?: ProviderHeaders | undefined;
  auth: ProviderAuth;
  models: readonly (Model<A> | AnyModel)[];
  /** Asks for the current models; what it returns replaces the list. */
  fetchModels?: ((context: RefreshModelsContext) => Promise<readonly AnyModel[]>) | undefined;
  filterModels?: Provider<A>["filterModels"] | undefined;
  /** One implementation for all models, or one per API. */
  api?: ProviderStreams | Readonly<Record<string, ProviderStreams>> | undefined;
  images?: ProviderImages | Readonly<Record<string, ProviderImages>> | undefined;
  classifiers?: ProviderClassifier | Readonly<Record<string, ProviderClassifier>> | undefined;
}

// ---------------------------------------------------------------------------------------------------------------------
// Catalogues that grow

/** A fetched catalogue. Times are Unix ms. */
export interface ModelsStoreEntry {
  models: readonly AnyModel[];
  lastModified?: number;
  checkedAt?: number;
  etag?: string;
}

export interface ModelsStoreOperationOptions {
  signal?: AbortSignal | undefined;
}

/** Fetched catalogues by provider id. */
export interface ModelsStore {
  read(providerId: string, options?: ModelsStoreOperationOptions): Promise<ModelsStoreEntry | undefined>;
  write(providerId: string, entry: ModelsStoreEntry, options?: ModelsStoreOperationOptions): Promise<void>;
  delete(providerId: string, options?: ModelsStoreOperationOptions): Promise<void>;
}

export interface ModelsPublication {
  /** What to keep for the next process; null forgets what was kept. */
  persist?: ModelsStoreEntry | null;
  /** Puts the new models in force. */
  update?(): void;
}

export interface RefreshModelsContext {
  credential?: Credential | undefined;
  /** What an earlier refresh kept. */
  stored?: ModelsStoreEntry | undefined;
  /** Puts a result in force and keeps it; false when the refresh was aborted meanwhile. */
  publish(publication: ModelsPublication): Promise<boolean>;
  /** False = only what is stored may be used. */
  allowNetwork: boolean;
  /** Ask even if a recent answer is stored. */
  force?: boolean | undefined;
  signal: AbortSignal;
  baseUrl?: string | undefined;
}

export interface ModelsRefreshOptions {
  /** Default true. */
  allowNetwork?: boolean | undefined;
  /** Default: all. */
  providers?: readonly string[] | undefined;
  force?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

export interface ModelsRefreshResult {
  aborted: boolean;
  /** By provider id. */
  errors: ReadonlyMap<string, Error>;
}

// ---------------------------------------------------------------------------------------------------------------------
// Collections

export type ModelsErrorCode = "model_source" | "model_validation" | "provider" | "stream" | "auth" | "oauth";

export interface CreateModelsOptions {
  /** Default: in memory. */
  credentials?: CredentialStore | undefined;
  /** Default: in memory. */
  modelsStore?: ModelsStore | undefined;
  /** Default: the process environment and the disk. */
  authContext?: AuthContext | undefined;
  identity?: ClientIdentity | undefined;
}

export interface ModelsRequestTransforms {
  /** Sees the headers of a request before its API adds its own. */
  transformHeaders?:
    | ((headers: ProviderHeaders) => ProviderHeaders | undefined | Promise<ProviderHeaders | undefined>)
    | undefined;
}

export type ModelsApiStreamOptions<A extends Api = Api> = ApiStreamOptions<A> & ModelsRequestTransforms;
export type ModelsSimpleStreamOptions = SimpleStreamOptions & ModelsRequestTransforms;

export interface AuthOverrides {
  apiKey?: string | undefined;
  env?: ProviderEnv | undefined;
  /** How long an access token must still be good, in ms. Default 5 minutes. */
  minOAuthValidityMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** A collection of providers: catalogue, credentials and requests. Lists are read synchronously. */
export interface Models {
  getProviders(): readonly Provider[];
  getProvider(id: string): Provider | undefined;
  /** Chat models of one provider or of all. */
  getModels(provider?: string): readonly Model[];
  getModel(provider: string, id: string): Model | undefined;
  getModelsOfType<T extends ModelType>(type: T, provider?: string): readonly ModelTypeMap[T][];
  getModelOfType<T extends ModelType>(type: T, provider: string, id: string): ModelTypeMap[T] | undefined;
  getAllModels(provider?: string): readonly AnyModel[];
  /** Asks providers for their models. Never rejects: failures are in the result. */
  refresh(options?: ModelsRefreshOptions): Promise<ModelsRefreshResult>;
  /** Whether, and from where, a provider can be used; runs no commands and asks nobody. */
  checkAuth(provider: string, options?: AuthOperationOptions): Promise<AuthCheck | undefined>;
  /** Chat models that can be used. */
  getAvailable(provider?: string, options?: AuthOperationOptions): Promise<readonly Model[]>;
  getAvailableOfType<T extends ModelType>(
    type: T,
    provider?: string,
    options?: AuthOperationOptions,
  ): Promise<readonly ModelTypeMap[T][]>;
  getAllAvailable(provider?: string, options?: AuthOperationOptions): Promise<readonly AnyModel[]>;
  /**
   * Key and headers for a provider or a model; undefined when there is no way in. Renews an access token that ends soon.
   * @throws ModelsError `auth` or `oauth`
   */
  getAuth(providerOrModel: string | Model, overrides?: AuthOverrides): Promise<AuthResult | undefined>;
  /** @throws ModelsError `provider` for an unknown provider or one without this way in */
  login(provider: string, type: AuthType, interaction: AuthInteraction, options?: LoginOptions): Promise<Credential>;
  logout(provider: string, options?: AuthOperationOptions): Promise<void>;
  /** Starts a request. Never throws: every failure is an `error` event. */
  stream<A extends Api>(
    model: Model<A>,
    context: Context | TranscriptContext,
    options?: ModelsApiStreamOptions<A>,
  ): AssistantMessageEventStream;
  complete<A extends Api>(
    model: Model<A>,
    context: Context | TranscriptContext,
    options?: ModelsApiStreamOptions<A>,
  ): Promise<AssistantMessage>;
  streamSimple(
    model: Model,
    context: Context | TranscriptContext,
    options?: ModelsSimpleStreamOptions,
  ): AssistantMessageEventStream;
  completeSimple(
    model: Model,
    context: Context | TranscriptContext,
    options?: ModelsSimpleStreamOptions,
  ): Promise<AssistantMessage>;
  fetchDeferred(model: Model, handle: DeferredHandle, options?: ModelsDeferredFetchOptions): Promise<AssistantMessage>;
  cancelDeferred(model: Model, handle: DeferredHandle, options?: ModelsDeferredCancelOptions): Promise<void>;
  generateImages(model: ImageModel, context: ImagesContext, options?: ModelsImagesOptions): Promise<AssistantImages>;
  classify(
    model: ClassifierModel,
    context: ClassifierContext,
    options?: ModelsClassifierOptions,
  ): Promise<ClassifierResult>;
}

export interface MutableModels extends Models {
  /** Adds a provider or replaces the one with its id. */
  setProvider(provider: Provider): void;
  /** True when there was one. */
  deleteProvider(id: string): boolean;
  clearProviders(): void;
}

// Later: answers that are fetched afterwards.
export interface DeferredFetchOptions extends StreamOptions {
  /** How long to wait for the answer, in ms. */
  wait?: number;
}
export type DeferredCancelOptions = StreamOptions;
export type ModelsDeferredFetchOptions = DeferredFetchOptions & ModelsRequestTransforms;
export type ModelsDeferredCancelOptions = DeferredCancelOptions & ModelsRequestTransforms;
export type ModelsImagesOptions = ImagesOptions & ModelsRequestTransforms;
export type ModelsClassifierOptions = ClassifierOptions & ModelsRequestTransforms;
