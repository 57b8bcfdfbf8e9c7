export type { AnthropicEffort, AnthropicOptions, AnthropicThinkingDisplay } from "./api/anthropic/anthropic-options.js";
export type { AzureOpenAIResponsesOptions } from "./api/azure-openai-responses/azure-options.js";
export type { BedrockOptions, BedrockThinkingDisplay } from "./api/bedrock/bedrock-options.js";
export type {
  GoogleApiThinkingLevel,
  GoogleOptions,
  GoogleVertexOptions,
  ResolvedGoogleThinkingLevel,
} from "./api/google/google-options.js";
export type { MistralOptions } from "./api/mistral/mistral-options.js";
export type {
  OpenAICodexResponsesOptions,
  OpenAICodexWebSocketDebugStats,
} from "./api/openai-codex-responses/codex-options.js";
export type { OpenAICompletionsOptions } from "./api/openai-completions/completions-options.js";
export type { OpenAIResponsesOptions } from "./api/openai-responses/responses-options.js";
export type * from "./api/pi-messages-types.js";
export type { ApiOptionsMap, ApiStreamOptions } from "./api-options.js";
export { defaultProviderAuthContext } from "./auth/auth-context.js";
export { InMemoryCredentialStore } from "./auth/credential-store.js";
export { envApiKeyAuth } from "./auth/env-api-key.js";
export { type LazyOAuthOptions, lazyOAuth } from "./auth/lazy-oauth.js";
export type * from "./auth/types.js";
export * from "./diagnostics.js";
export { type AssistantErrorKind, classifyAssistantError, describeAssistantError } from "./errors/classify.js";
export { getOverflowPatterns, isContextOverflow, isRecoverableLength } from "./errors/overflow.js";
export {
  DEFAULT_MAX_AGENT_RETRY_DELAY_MS,
  type RetryCallbacks,
  type RetryPolicy,
  retryAssistantCall,
  retryDelayMs,
} from "./errors/retry.js";
export { isRetryableAssistantError } from "./errors/retryable.js";
export * from "./event-stream.js";
export * from "./faux/builders.js";
export {
  createFauxCore,
  type FauxCore,
  type FauxModelDefinition,
  type FauxProviderState,
  type FauxResponseFactory,
  type FauxResponseStep,
  type RegisterFauxProviderOptions,
} from "./faux/faux-provider.js";
export { type FauxProviderHandle, fauxProvider } from "./faux/faux-provider-handle.js";
export type { FauxProviderRegistration } from "./faux/register-faux-provider.js";
export * from "./identity.js";
export type { JsonChange, JsonPath } from "./json/json-reader.js";
export { parseJsonWithRepair, repairJson } from "./json/repair-json.js";
export { parseStreamingJson, StreamingJsonParser } from "./json/streaming-json-parser.js";
export {
  type ParsedToolCallArguments,
  parseToolCallArguments,
  ToolCallArgumentsStream,
} from "./json/tool-call-arguments.js";
export { type LazyApiCapabilities, type LazyStreamObserver, lazyApi, lazyStream } from "./lazy.js";
export { calculateCost } from "./models/cost.js";
export { createModels } from "./models/create-models.js";
export { createProvider } from "./models/create-provider.js";
export { hasApi, modelsAreEqual } from "./models/identity.js";
export { getModelType, isModelType } from "./models/model-type.js";
export { ModelsError } from "./models/models-error.js";
export { InMemoryModelsStore } from "./models/models-store.js";
export type * from "./models/other-model-types.js";
export { clampThinkingLevel, getSupportedThinkingLevels } from "./models/thinking-levels.js";
export type * from "./models/types.js";
export { withClientIdentity } from "./models/with-client-identity.js";
export * from "./not-yet.js";
export * from "./provider-streams.js";
export type { BuiltinProvider as KnownProvider } from "./providers/provider-table.js";
export { StringEnum, type StringEnumSchema } from "./schema/string-enum.js";
export * from "./session-resources.js";
export { contentText } from "./text/content-text.js";
export { getSystemMessageText, renderSystemMessageUpdate } from "./text/system-message-text.js";
export { type ToolCallToValidate, validateToolArguments, validateToolCall } from "./tool-validation.js";
export {
  createInitialSystemMessage,
  getInitialSystemMessage,
  normalizeContext,
  withoutInitialSystemMessage,
} from "./transcript/context.js";
export {
  collapseSystemMessages,
  getCurrentSystemMessage,
  getCurrentSystemPrompt,
  getCurrentTools,
  resolveTranscript,
} from "./transcript/replay.js";
export {
  declarationsEqual,
  getDeclaredTools,
  getToolStateChanges,
  hasNonAdditiveToolChanges,
  hasToolRedefinitions,
  resolveTranscriptTools,
  type ToolStateChanges,
  type TranscriptToolSupport,
  type TranscriptTools,
  toToolDeclaration,
} from "./transcript/tool-changes.js";
export * from "./types.js";
export { uuidv7 } from "./uuidv7.js";
