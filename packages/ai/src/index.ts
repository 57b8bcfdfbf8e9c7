export type { AnthropicEffort, AnthropicOptions, AnthropicThinkingDisplay } from "./api/anthropic/anthropic-options.js";
export type { OpenAICompletionsOptions } from "./api/openai-completions/completions-options.js";
export type { OpenAIResponsesOptions } from "./api/openai-responses/responses-options.js";
export type { ApiOptionsMap, ApiStreamOptions } from "./api-options.js";
export * from "./diagnostics.js";
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
export { hasApi, modelsAreEqual } from "./models/identity.js";
export { clampThinkingLevel, getSupportedThinkingLevels } from "./models/thinking-levels.js";
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
