/**
 * The contract of the model layer: one message format, one event stream, many providers.
 *
 * Shapes follow llm.md section 2-4. Optional members are absent, never null, unless a type says so.
 *
 * `any` stands only where the published contract has it (exports.md): extensions would not compile with `unknown`.
 */
import type {
  AnthropicMessagesCompat,
  BedrockCompat,
  MistralConversationsCompat,
  OpenAICompletionsCompat,
  OpenAIResponsesCompat,
} from "./api-compat.js";
import type { ModelCost } from "./model-cost.js";

export type * from "./api-compat.js";
export type * from "./model-cost.js";

// ---------------------------------------------------------------------------------------------------------------------
// Names

/** Wire formats with an implementation in `api/`. */
export type KnownApi =
  | "openai-completions"
  | "mistral-conversations"
  | "openai-responses"
  | "azure-openai-responses"
  | "openai-codex-responses"
  | "anthropic-messages"
  | "bedrock-converse-stream"
  | "google-generative-ai"
  | "google-vertex"
  | "pi-messages";

/** A wire format id. Extensions may register further ones. */
export type Api = KnownApi | (string & {});

/** A provider id such as `anthropic`. Ids may contain `/`. */
export type ProviderId = string;

/** Reasoning effort of one request, lowest first. */
export type ThinkingLevel = "minimal" | "low" | "medium" | "high" | "xhigh" | "max";

/** A thinking level of a model or a session, where thinking can also be off. */
export type ModelThinkingLevel = "off" | ThinkingLevel;

/** Per level: the value sent to the provider, or null when the model does not have the level. */
export type ThinkingLevelMap = Partial<Record<ModelThinkingLevel, string | null>>;

export type CacheRetention = "none" | "short" | "long";
export type Transport = "sse" | "websocket" | "websocket-cached" | "auto";

/** Why an answer ended. `pending` exists only while it streams and is never stored. */
export type StopReason = "pending" | "stop" | "length" | "toolUse" | "error" | "aborted" | "deferred";

// ---------------------------------------------------------------------------------------------------------------------
// JSON

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export type JsonObject = { [key: string]: JsonValue };

/** `T` as it survives a trip through JSON. */
export type JsonRepresentation<T> = unknown extends T
  ? JsonValue
  : T extends null | boolean | number | string
    ? T
    : T extends (...args: never[]) => unknown
      ? never
      : T extends undefined
        ? undefined
        : T extends readonly (infer Item)[]
          ? readonly JsonRepresentation<Item>[]
          : T extends object
            ? { [Key in keyof T]: JsonRepresentation<T[Key]> }
            : never;

// ---------------------------------------------------------------------------------------------------------------------
// Content blocks

export interface TextContent {
  type: "text";
  text: string;
  /** Opaque provider data that lets the same model recognise its text (Responses: JSON `{v, id, phase?}`). */
  textSignature?: string;
}

export interface TextSignatureV1 {
  v: 1;
  id: string;
  phase?: "commentary" | "final_answer";
}

export interface ThinkingContent {
  type: "thinking";
  thinking: string;
  /** Opaque provider data, replayed to the same model only. */
  thinkingSignature?: string;
  /** The text was withheld by the provider; the payload is in `thinkingSignature`. */
  redacted?: boolean;
}

export interface ImageContent {
  type: "image";
  /** Base64, without a data-URL prefix. */
  data: string;
  mimeType: string;
}

export interface ToolCall {
  type: "toolCall";
  id: string;
  name: string;
  /** The model's arguments before validation. */
  arguments: Record<string, any>;
  /** Google: opaque data replayed with the call. */
  thoughtSignature?: string;
  /** Responses: namespace of the tool. */
  namespace?: string;
  /** Set when the arguments text was not a JSON object; `arguments` is `{}` then. */
  argumentsError?: string;
}

// ---------------------------------------------------------------------------------------------------------------------
// Messages

/** Tokens and cost of one answer. `input` excludes cache reads and writes. Cost is in US dollars. */
export interface Usage {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  /** Part of `cacheWrite` that was written with the one-hour lifetime. */
  cacheWrite1h?: number;
  /** Part of `output` that was reasoning. */
  reasoning?: number;
  totalTokens: number;
  cost: {
    input: number;
    output: number;
    cacheRead: number;
    cacheWrite: number;
    total: number;
    /** True when `total` is the provider's own figure. */
    totalFromProvider?: boolean;
  };
}

/** Declares the system prompt and the tools, or a change of them, at one point of the conversation. */
export interface SystemMessage {
  role: "system";
  content: string | TextContent[];
  /** Named prompt sections, rendered after `content` in first-insertion order. `null` removes a section. */
  sections?: Record<string, string | null>;
  toolsAdded?: Tool[];
  toolsRemoved?: ToolReference[];
  /** Unix time in ms. */
  timestamp: number;
}

export interface UserMessage {
  role: "user";
  content: string | (TextContent | ImageContent)[];
  /** Unix time in ms. */
  timestamp: number;
}

export interface DiagnosticErrorInfo {
  name?: string;
  message: string;
  stack?: string;
  code?: string | number;
}

/** Something that went wrong on the way to an answer without making it fail. */
export interface AssistantMessageDiagnostic {
  type: string;
  timestamp: number;
  error?: DiagnosticErrorInfo;
  details?: JsonObject;
}

export interface DeferredHandle {
  [key: string]: JsonValue;
}

export interface AssistantMessage {
  role: "assistant";
  content: (TextContent | ThinkingContent | ToolCall)[];
  api: Api;
  provider: ProviderId;
  /** Id of the requested model. */
  model: string;
  /** The model the server says it used, when it names another one. */
  responseModel?: string;
  responseId?: string;
  /** Level as sent to the provider. */
  providerThinkingLevel?: string;
  /** Level asked for. */
  thinkingLevel?: ModelThinkingLevel;
  diagnostics?: AssistantMessageDiagnostic[];
  usage: Usage;
  stopReason: StopReason;
  deferred?: DeferredHandle;
  /** What failed, for people and for the retry and overflow rules. Set with `error` and `aborted`. */
  errorMessage?: string;
  /** The provider's own stop reason. */
  rawStopReason?: string;
  endTurn?: boolean;
  /** Unix time in ms at which the request started. */
  timestamp: number;
  /** From request start to the final event, in ms, monotonic. */
  durationMs?: number;
}

export interface NestedToolCallRecord {
  id: string;
  name: string;
  arguments?: JsonValue;
  argumentsBytes?: number;
  status: "ok" | "error" | "unfinished";
  durationMs?: number;
  error?: string;
}

export interface NestedToolCalls {
  calls: NestedToolCallRecord[];
  complete: boolean;
}

export interface ToolResultMessage<Details = JsonValue> {
  role: "toolResult";
  toolCallId: string;
  toolName: string;
  content: (TextContent | ImageContent)[];
  details?: JsonRepresentation<Details>;
  usage?: Usage;
  nestedCalls?: NestedToolCalls;
  isError: boolean;
  /** Unix time in ms. */
  timestamp: number;
  durationMs?: number;
}

export type Message = SystemMessage | UserMessage | AssistantMessage | ToolResultMessage;

// ---------------------------------------------------------------------------------------------------------------------
// Tools

export type GrammarFormat = "openai_lark" | "openai_regex";
export type GrammarVariants = Partial<Record<GrammarFormat, string>>;

/** Asks the provider to hold the model to the tool's schema (`prefer`: where it can) or to a grammar. */
export type ConstrainedSamplingConfig =
  | { type: "json_schema"; strict: "prefer" | "require" }
  | { type: "grammar"; variants: GrammarVariants };

/** What a model is told about a tool. `parameters` is a JSON Schema of an object. */
export interface Tool<Parameters extends object = object> {
  name: string;
  description: string;
  parameters: Parameters;
  constrainedSampling?: false | ConstrainedSamplingConfig;
}

export interface ToolReference {
  name: string;
}

/** Arguments after validation: of the shape the tool's schema describes, which only its author knows statically. */
export type ValidatedArguments = any;

export type ToolChoice = "auto" | "none";

// ---------------------------------------------------------------------------------------------------------------------
// Conversations

/** What a caller hands in. */
export interface Context {
  systemPrompt?: string;
  messages: Message[];
  tools?: Tool[];
}

declare const transcriptBrand: unique symbol;

/** A conversation whose prompt and tools live in system messages; made by `normalizeContext` and its relatives. */
export interface TranscriptContext {
  messages: Message[];
  readonly [transcriptBrand]: true;
}

/** Anything with a role: transcripts may hold messages of applications too. */
export type TranscriptMessages = readonly { role: string }[];

// ---------------------------------------------------------------------------------------------------------------------
// Models

export type ModelInputModality = "text" | "image";

/** Lifetimes of the provider's prompt cache in seconds. */
export interface ModelPromptCache {
  short?: number;
  long?: number;
}

export interface ModelImageResizeOptions {
  maxWidth?: number;
  maxHeight?: number;
  /** Of the base64 text. */
  maxBytes?: number;
  jpegQuality?: number;
}

export interface ModelImageInputLimits {
  resize?: ModelImageResizeOptions;
  maxPerMessage?: number;
  maxPerRequest?: number;
}

export interface ModelInputLimits {
  maxRequestBytes?: number;
  images?: ModelImageInputLimits;
}

export type SamplingParams = Record<string, unknown>;
export type SamplingParamsByThinkingLevel = Partial<Record<ModelThinkingLevel, SamplingParams>>;

export interface BaseModel<A extends Api = Api> {
  id: string;
  name: string;
  api: A;
  provider: ProviderId;
  baseUrl: string;
  input: ModelInputModality[];
  inputLimits?: ModelInputLimits;
  cost: ModelCost;
  headers?: Record<string, string>;
}

/** A chat model. `contextWindow` and `maxTokens` are in tokens. */
export interface Model<A extends Api = Api> extends BaseModel<A> {
  type?: "chat";
  reasoning: boolean;
  thinkingLevelMap?: ThinkingLevelMap;
  promptCache?: ModelPromptCache;
  contextWindow: number;
  maxTokens: number;
  samplingParams?: SamplingParams;
  samplingParamsByThinkingLevel?: SamplingParamsByThinkingLevel;
  compat?: CompatFor<A>;
}

/** Compat flags of an API; for an API known only at run time, those of any. */
export type CompatFor<A extends Api> = A extends "openai-completions"
  ? OpenAICompletionsCompat
  : A extends "openai-responses" | "azure-openai-responses" | "openai-codex-responses"
    ? OpenAIResponsesCompat
    : A extends "anthropic-messages"
      ? AnthropicMessagesCompat
      : A extends "bedrock-converse-stream"
        ? BedrockCompat
        : A extends "mistral-conversations"
          ? MistralConversationsCompat
          : Record<string, unknown>;

// ---------------------------------------------------------------------------------------------------------------------
// Streaming

/**
 * Events of one answer. `partial` is the live message that keeps growing, not a snapshot.
 * Nothing but `error` may come before `start`; the last event is `done` or `error`. Source: llm.md section 3.
 */
export type AssistantMessageEvent =
  | { type: "start"; partial: AssistantMessage }
  | { type: "text_start"; contentIndex: number; partial: AssistantMessage }
  | { type: "text_delta"; contentIndex: number; delta: string; partial: AssistantMessage }
  | { type: "text_end"; contentIndex: number; content: string; partial: AssistantMessage }
  | { type: "thinking_start"; contentIndex: number; partial: AssistantMessage }
  | { type: "thinking_delta"; contentIndex: number; delta: string; partial: AssistantMessage }
  | { type: "thinking_end"; contentIndex: number; content: string; partial: AssistantMessage }
  | { type: "toolcall_start"; contentIndex: number; partial: AssistantMessage }
  | { type: "toolcall_delta"; contentIndex: number; delta: string; partial: AssistantMessage }
  | { type: "toolcall_end"; contentIndex: number; toolCall: ToolCall; partial: AssistantMessage }
  | { type: "done"; reason: "stop" | "length" | "toolUse" | "deferred"; message: AssistantMessage }
  | { type: "error"; reason: "aborted" | "error"; error: AssistantMessage };

// ---------------------------------------------------------------------------------------------------------------------
// Options

export type FetchFunction = typeof globalThis.fetch;
/** Provider-scoped environment: wins over the process environment. */
export type ProviderEnv = Record<string, string>;
/** Header overrides; null removes a default header. */
export type ProviderHeaders = Record<string, string | null>;

export interface ProviderResponse {
  status: number;
  headers: Record<string, string>;
}

export interface ClientAttribution {
  name: string;
  url: string;
  categories?: string[];
}

export type UserAgentMode = "short" | "detailed" | { custom: string };

export interface ClientIdentity {
  userAgent?: UserAgentMode;
  attribution?: ClientAttribution | null;
  version?: string;
}

/** Token budgets per level for providers that take a number. */
export interface ThinkingBudgets {
  /** Tokens for thinking at the level `minimal`. */
  minimal?: TokenCount;
  /** Tokens for thinking at the level `low`. */
  low?: TokenCount;
  /** Tokens for thinking at the level `medium`. */
  medium?: TokenCount;
  /** Tokens for thinking at the level `high`. */
  high?: TokenCount;
}

/**
 * @minimum 0
 * @multipleOf 1
 */
type TokenCount = number;

export interface ProviderRequestOptions<M = Model> {
  signal?: AbortSignal | undefined;
  apiKey?: string | undefined;
  fetch?: FetchFunction | undefined;
  env?: ProviderEnv | undefined;
  /** Sees the request body before it is sent; a defined result replaces it. */
  onPayload?: ((payload: unknown, model: M) => unknown) | undefined;
  /** Sees status and headers before the body is read. Awaited. */
  onResponse?: ((response: ProviderResponse, model: M) => void | Promise<void>) | undefined;
  /** Request headers override model headers, which override defaults. */
  headers?: ProviderHeaders | undefined;
  identity?: ClientIdentity | undefined;
  /** Limit for the response headers to arrive, in ms. */
  timeoutMs?: number | undefined;
  /** Limit for a new connection, TLS included, in ms. Default 10000; 0 = no limit. */
  connectTimeoutMs?: number | undefined;
  /** Longest silence before and between the pieces of a streamed answer, in ms. Default 300000; 0 = no limit. */
  idleTimeoutMs?: number | undefined;
  /** Retries of one request by this layer. Default 0. */
  maxRetries?: number | undefined;
  /** Longest wait a server may ask for, in ms. Default 60000; 0 = no cap. */
  maxRetryDelayMs?: number | undefined;
}

export interface StreamOptions extends ProviderRequestOptions {
  /** Sees every raw provider event. */
  onProviderStreamEvent?: ((event: unknown, model: Model) => void | Promise<void>) | undefined;
  temperature?: number | undefined;
  samplingParams?: SamplingParams | undefined;
  maxTokens?: number | undefined;
  transport?: Transport | undefined;
  /** Default `short`, or `long` with `PI_CACHE_RETENTION=long`. */
  cacheRetention?: CacheRetention | undefined;
  sessionId?: string | undefined;
  disableContinuation?: boolean | undefined;
  websocketConnectTimeoutMs?: number | undefined;
  metadata?: Record<string, unknown> | undefined;
}

export interface SimpleStreamOptions extends StreamOptions {
  toolChoice?: ToolChoice | undefined;
  /** Absent = thinking off. */
  reasoning?: ThinkingLevel | undefined;
  thinkingBudgets?: ThinkingBudgets | undefined;
}

export type ProviderStreamOptions = StreamOptions & Record<string, unknown>;
