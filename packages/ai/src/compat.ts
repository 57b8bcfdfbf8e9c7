/** Subpath `./compat`: the root, and the global functions that older code calls. */
import { getApiProvider } from "./api-registry.js";
import {
  anthropicMessagesApi,
  azureOpenAIResponsesApi,
  googleGenerativeAIApi,
  googleVertexApi,
  mistralConversationsApi,
  openAICodexResponsesApi,
  openAICompletionsApi,
  openAIResponsesApi,
} from "./builtin-apis.js";
import type { AssistantMessageEventStream } from "./event-stream.js";
import { failedStream, startSafely } from "./lazy.js";
import type { ProviderStreams } from "./provider-streams.js";
import { getBuiltinModel, getBuiltinModels, getBuiltinProviders } from "./providers/catalogue.js";
import { AMBIENT_CREDENTIALS, ANTHROPIC_AUTH_TOKEN_ENV, findEnvKeys, getEnvApiKey } from "./providers/env-keys.js";
import type { BuiltinProvider } from "./providers/provider-table.js";
import { normalizeContext } from "./transcript/context.js";
import type {
  AssistantMessage,
  Context,
  Model,
  ProviderStreamOptions,
  SimpleStreamOptions,
  StreamOptions,
  TranscriptContext,
} from "./types.js";

export {
  type ApiProvider,
  type ApiStreamFunction,
  type ApiStreamSimpleFunction,
  getApiProvider,
  getApiProviders,
  type RegisteredApiProvider,
  registerApiProvider,
  registerBuiltInApiProviders,
  resetApiProviders,
  unregisterApiProviders,
} from "./api-registry.js";
export {
  anthropicMessagesApi,
  azureOpenAIResponsesApi,
  bedrockConverseStreamApi,
  googleGenerativeAIApi,
  googleVertexApi,
  mistralConversationsApi,
  openAICodexResponsesApi,
  openAICompletionsApi,
  openAIResponsesApi,
  piMessagesApi,
} from "./builtin-apis.js";
export { type FauxProviderRegistration, registerFauxProvider } from "./faux/register-faux-provider.js";
export * from "./index.js";
export * from "./not-yet-images.js";
export {
  ANTHROPIC_API_KEY_ENV,
  ANTHROPIC_AUTH_TOKEN_ENV,
  ANTHROPIC_FEDERATION_RULE_ID_ENV,
  ANTHROPIC_IDENTITY_TOKEN_FILE_ENV,
  ANTHROPIC_OAUTH_TOKEN_ENV,
  ANTHROPIC_ORGANIZATION_ID_ENV,
  ANTHROPIC_SERVICE_ACCOUNT_ID_ENV,
  ANTHROPIC_WORKSPACE_ID_ENV,
  findEnvKeys,
  getEnvApiKey,
} from "./providers/env-keys.js";
export type { BuiltinProvider } from "./providers/provider-table.js";

/**
 * Starts a request through the API registered for the model, with the API's own options. A missing key is taken from
 * the environment. Never throws: every failure is an `error` event.
 */
export function stream(
  model: Model,
  context: Context | TranscriptContext,
  options?: ProviderStreamOptions,
): AssistantMessageEventStream {
  const provider = getApiProvider(model.api);
  if (!provider) return noProvider(model);
  return startSafely(model, () =>
    provider.stream(model, normalizeContext(context), withEnvironmentKey(model, options)),
  );
}

/** The final message of `stream`; its `stopReason` tells whether it failed. */
export function complete(
  model: Model,
  context: Context | TranscriptContext,
  options?: ProviderStreamOptions,
): Promise<AssistantMessage> {
  return stream(model, context, options).result();
}

/** Like `stream`, with the options common to all APIs. */
export function streamSimple(
  model: Model,
  context: Context | TranscriptContext,
  options?: SimpleStreamOptions,
): AssistantMessageEventStream {
  const provider = getApiProvider(model.api);
  if (!provider) return noProvider(model);
  return startSafely(model, () =>
    provider.streamSimple(model, normalizeContext(context), withEnvironmentKey(model, options)),
  );
}

/** The final message of `streamSimple`; its `stopReason` tells whether it failed. */
export function completeSimple(
  model: Model,
  context: Context | TranscriptContext,
  options?: SimpleStreamOptions,
): Promise<AssistantMessage> {
  return streamSimple(model, context, options).result();
}

/** The built-in model; undefined when there is none of that provider and id. */
export function getModel(provider: BuiltinProvider | (string & {}), id: string): Model | undefined {
  return getBuiltinModel(provider, id);
}

/** The built-in models of a provider. */
export function getModels(provider: BuiltinProvider | (string & {})): Model[] {
  return getBuiltinModels(provider);
}

/** Ids of the built-in providers. */
export function getProviders(): BuiltinProvider[] {
  return getBuiltinProviders();
}

function noProvider(model: Model): AssistantMessageEventStream {
  return failedStream(model, `No API provider registered for api: ${model.api}`);
}

function withEnvironmentKey<O extends StreamOptions>(model: Model, options: O | undefined): O | undefined {
  if (options?.apiKey?.trim()) return options;
  const apiKey = getEnvApiKey(model.provider, options?.env);
  // Ambient credentials are found by the API itself.
  if (apiKey === undefined || apiKey === AMBIENT_CREDENTIALS) return options;
  const completed = { ...options, apiKey } as O;
  if (model.provider === "anthropic" && findEnvKeys("anthropic", options?.env)?.[0] === ANTHROPIC_AUTH_TOKEN_ENV) {
    completed.headers = { authorization: `Bearer ${apiKey}`, "x-api-key": null, ...options?.headers };
  }
  return completed;
}

/** Starts a request at one API directly, whatever is registered for it. */
export type DirectStream = (
  model: Model,
  context: Context | TranscriptContext,
  options?: ProviderStreamOptions,
) => AssistantMessageEventStream;

/** The functions of one API under the names older code calls them by. */
function direct(api: () => ProviderStreams): { stream: DirectStream; streamSimple: DirectStream } {
  return {
    stream: (model, context, options) => api().stream(model, normalizeContext(context), options),
    streamSimple: (model, context, options) => api().streamSimple(model, normalizeContext(context), options),
  };
}

// biome-ignore format: a table reads best with one row per API
export const
  { stream: streamAnthropic, streamSimple: streamSimpleAnthropic } = direct(anthropicMessagesApi),
  { stream: streamAzureOpenAIResponses, streamSimple: streamSimpleAzureOpenAIResponses } = direct(azureOpenAIResponsesApi),
  { stream: streamGoogle, streamSimple: streamSimpleGoogle } = direct(googleGenerativeAIApi),
  { stream: streamGoogleVertex, streamSimple: streamSimpleGoogleVertex } = direct(googleVertexApi),
  { stream: streamMistral, streamSimple: streamSimpleMistral } = direct(mistralConversationsApi),
  { stream: streamOpenAICodexResponses, streamSimple: streamSimpleOpenAICodexResponses } = direct(openAICodexResponsesApi),
  { stream: streamOpenAICompletions, streamSimple: streamSimpleOpenAICompletions } = direct(openAICompletionsApi),
  { stream: streamOpenAIResponses, streamSimple: streamSimpleOpenAIResponses } = direct(openAIResponsesApi);
