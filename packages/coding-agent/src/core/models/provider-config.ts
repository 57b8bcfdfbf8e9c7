/** What an extension says about a provider. Source: llm.md section 5 (Extension registration), extensions.md 4.5. */
import type {
  AssistantMessageEventStream,
  Model,
  OAuthCredentials,
  OAuthLoginCallbacks,
  ProviderClassifier,
  ProviderImages,
  RefreshModelsContext,
  SimpleStreamOptions,
  TranscriptContext,
} from "@earendil-works/pi-ai";
import type { ModelEntry } from "./models-json.js";

/** A model of an extension; everything a request needs is given or comes from the provider. */
export type ProviderModelConfig = ModelEntry & { type?: "chat" | "image" | "classifier" };

export interface ProviderOAuthConfig {
  name: string;
  isSubscription?: boolean;
  login(callbacks: OAuthLoginCallbacks): Promise<OAuthCredentials>;
  refreshToken(credentials: OAuthCredentials, signal: AbortSignal): Promise<OAuthCredentials>;
  getApiKey(credentials: OAuthCredentials): string;
  modifyModels?(models: Model[], credentials: OAuthCredentials): Model[];
}

/** Defined members are laid over those of an earlier registration of the same provider. */
export interface ProviderConfig {
  name?: string;
  /** Alone, it re-points the models there are. */
  baseUrl?: string;
  /** A configured value: literal, `$NAME`, `!command`. */
  apiKey?: string;
  api?: string;
  /** Answers requests to models of `api`. */
  streamSimple?(model: Model, context: TranscriptContext, options?: SimpleStreamOptions): AssistantMessageEventStream;
  headers?: Record<string, string>;
  /** Also sends the key as `Authorization: Bearer`. */
  authHeader?: boolean;
  /** Replaces the provider's models. */
  models?: ProviderModelConfig[];
  /** What it returns replaces the provider's models. */
  refreshModels?(context: RefreshModelsContext): Promise<readonly ProviderModelConfig[]>;
  oauth?: ProviderOAuthConfig;
  images?: ProviderImages;
  classifiers?: ProviderClassifier;
}

/** The later registration on top of the earlier one. */
export function mergeProviderConfig(earlier: ProviderConfig | undefined, later: ProviderConfig): ProviderConfig {
  const defined = Object.entries(later).filter(([, value]) => value !== undefined);
  return { ...earlier, ...Object.fromEntries(defined) };
}

/**
 * @param builtin models of the provider whose `api` and `baseUrl` may complete the extension's
 * @throws Error naming the first thing that is missing
 */
export function validateProviderConfig(id: string, config: ProviderConfig, builtin: readonly Model[]): void {
  if (config.streamSimple && !config.api) {
    throw new Error(`Provider ${id}: "api" is required when registering streamSimple.`);
  }
  for (const model of config.models ?? []) {
    if (typeof model.id !== "string" || model.id === "") throw new Error(`Provider ${id}: a model has no "id".`);
    if (!(model.api ?? config.api ?? builtin[0]?.api)) {
      throw new Error(`Provider ${id}, model ${model.id}: no "api" specified. Set at provider or model level.`);
    }
    if (!(model.baseUrl ?? config.baseUrl ?? builtin[0]?.baseUrl)) {
      throw new Error(`Provider ${id}: "baseUrl" is required when defining custom models.`);
    }
  }
}
