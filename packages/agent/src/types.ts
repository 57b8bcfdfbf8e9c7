/**
 * The contract of one agent: messages, tools as an interface, hooks and events. Source: agent-and-tools.md section A.
 *
 * `any` stands only where the published contract has it: extensions compiled against it would break with `unknown`
 * (exports.md, "Facts that decide whether real extensions compile"). The linter allows it in `types.ts` alone.
 */
import type {
  AssistantMessage,
  AssistantMessageEvent,
  AssistantMessageEventStream,
  ImageContent,
  JsonValue,
  Message,
  Model,
  ModelThinkingLevel,
  SimpleStreamOptions,
  TextContent,
  Tool,
  ToolCall,
  ToolResultMessage,
  TranscriptContext,
  Usage,
} from "@earendil-works/pi-ai";
import type { Static, TSchema } from "typebox";

/** Reasoning effort, with `off`. */
export type ThinkingLevel = ModelThinkingLevel;
/** How a queue is drained: everything at once, or one message per turn. */
export type QueueMode = "all" | "one-at-a-time";
export type ToolExecutionMode = "sequential" | "parallel";

/**
 * Message kinds of applications, by declaration merging:
 * `declare module "@earendil-works/pi-agent-core" { interface CustomAgentMessages { note: NoteMessage } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: made for merging
export interface CustomAgentMessages {}

export type AgentMessage = Message | CustomAgentMessages[keyof CustomAgentMessages];

/** Calls a model. Never throws for a failed request: the failure is the final message. */
export type StreamFn = (
  model: Model<any>,
  context: TranscriptContext,
  options?: SimpleStreamOptions,
) => AssistantMessageEventStream | Promise<AssistantMessageEventStream>;

/** What a tool gives back. A tool fails by throwing or with `isError`. */
export interface AgentToolResult<T = JsonValue | undefined> {
  content: (TextContent | ImageContent)[];
  /** For programs and renderers; stored with the session. */
  details: T;
  /** For programs; never sent to the model, never stored. */
  structuredContent?: JsonValue | undefined;
  /** Cost of model calls made by the tool. */
  usage?: Usage | undefined;
  isError?: boolean | undefined;
  /** Ends the run after the batch when every result of the batch says so. */
  terminate?: boolean | undefined;
}

export type AgentToolUpdateCallback<T = any> = (partialResult: AgentToolResult<T>) => void;

/** Parameter type of a TypeBox schema; `any` for schemas of other kinds. */
export type AgentToolParams<P> = P extends TSchema ? Static<P> : any;

export interface AgentTool<P extends object = object, D = any> extends Tool<P> {
  label: string;
  /** Repairs bad or old shapes before validation. */
  prepareArguments?: ((raw: unknown) => AgentToolParams<P>) | undefined;
  /** JSON Schema of `structuredContent`. */
  outputSchema?: object | undefined;
  /** `sequential` makes every batch that calls this tool run one call at a time. */
  executionMode?: ToolExecutionMode | undefined;
  replay?: "never" | "safe" | undefined;
  execute(
    toolCallId: string,
    params: AgentToolParams<P>,
    signal?: AbortSignal,
    onUpdate?: AgentToolUpdateCallback<D>,
  ): Promise<AgentToolResult<D>>;
}

export type AgentToolCall = ToolCall;

export interface AgentContext {
  messages: AgentMessage[];
  /** What can run. What the model may call is declared by the system messages of the transcript. */
  tools?: AgentTool<any>[] | undefined;
}

export interface AgentToolCallOutcome {
  toolCall: AgentToolCall;
  result: AgentToolResult<any>;
  isError: boolean;
  /** Rounded ms of `execute()`; absent when the tool never ran. */
  durationMs?: number;
}

// ---------------------------------------------------------------------------------------------------------------------
// Events

/** Everything a run tells its listeners. `args` are the model's raw arguments. */
export type AgentEvent =
  | { type: "agent_start" }
  | { type: "agent_end"; messages: AgentMessage[] }
  | { type: "turn_start" }
  | { type: "turn_end"; message: AgentMessage; toolResults: ToolResultMessage[] }
  | { type: "message_start"; message: AgentMessage }
  | { type: "message_update"; message: AgentMessage; assistantMessageEvent: AssistantMessageEvent }
  | { type: "message_end"; message: AgentMessage }
  | { type: "tool_execution_start"; toolCallId: string; toolName: string; args: any }
  | {
      type: "tool_execution_update";
      toolCallId: string;
      toolName: string;
      args: any;
      partialResult: AgentToolResult<any>;
    }
  | {
      type: "tool_execution_end";
      toolCallId: string;
      toolName: string;
      result: AgentToolResult<any>;
      isError: boolean;
      durationMs?: number;
    };

/** Receives events; the loop waits for it. */
export type AgentEventSink = (event: AgentEvent) => void | Promise<void>;

// ---------------------------------------------------------------------------------------------------------------------
// Hooks

export interface BeforeToolCallContext {
  assistantMessage: AssistantMessage;
  toolCall: AgentToolCall;
  /** Validated arguments; the very object that will be executed, so a hook may change it. */
  args: unknown;
  context: AgentContext;
}

export interface BeforeToolCallResult {
  block?: boolean | undefined;
  reason?: string | undefined;
  terminate?: boolean | undefined;
}

export interface AfterToolCallContext extends BeforeToolCallContext {
  result: AgentToolResult<any>;
  isError: boolean;
}

/** Replaces parts of a result, field by field. New `content` without `structuredContent` drops the latter. */
export interface AfterToolCallResult {
  content?: (TextContent | ImageContent)[] | undefined;
  details?: unknown;
  structuredContent?: JsonValue | undefined;
  isError?: boolean | undefined;
  usage?: Usage | undefined;
  terminate?: boolean | undefined;
}

export interface AgentTurnContext {
  message: AssistantMessage;
  toolResults: ToolResultMessage[];
  context: AgentContext;
  newMessages: AgentMessage[];
}
export type PrepareNextTurnContext = AgentTurnContext;

/** `continue` asks for one more request, `end` ends the run. */
export interface AgentTurnDecision {
  action: "continue" | "end";
}

export type FinishTurn = (
  turn: AgentTurnContext,
  signal?: AbortSignal,
  // biome-ignore lint/suspicious/noConfusingVoidType: handlers that return nothing are part of the contract
) => AgentTurnDecision | void | Promise<AgentTurnDecision | void>;

export interface AgentRequestUpdate {
  context?: AgentContext | undefined;
  model?: Model<any> | undefined;
  thinkingLevel?: ThinkingLevel | undefined;
}

export interface AgentLoopTurnUpdate extends AgentRequestUpdate {
  messages?: AgentMessage[] | undefined;
}

export interface PrepareRequestContext {
  context: AgentContext;
  model: Model<any>;
  thinkingLevel: ThinkingLevel;
}

export type PrepareRequest = (
  request: PrepareRequestContext,
  signal?: AbortSignal,
  // biome-ignore lint/suspicious/noConfusingVoidType: handlers that return nothing are part of the contract
) => AgentRequestUpdate | void | Promise<AgentRequestUpdate | void>;

/** Everything one run needs. Hooks must not throw: a throw ends the run as a failed message. */
export interface AgentLoopConfig extends SimpleStreamOptions {
  model: Model<any>;
  convertToLlm: (messages: AgentMessage[]) => Message[] | Promise<Message[]>;
  transformContext?: ((messages: AgentMessage[], signal?: AbortSignal) => Promise<AgentMessage[]>) | undefined;
  getApiKey?: ((provider: string) => string | undefined | Promise<string | undefined>) | undefined;
  finishTurn?: FinishTurn | undefined;
  prepareRequest?: PrepareRequest | undefined;
  prepareNextTurn?:
    | ((turn: PrepareNextTurnContext) => AgentLoopTurnUpdate | undefined | Promise<AgentLoopTurnUpdate | undefined>)
    | undefined;
  getSteeringMessages?: (() => Promise<AgentMessage[]>) | undefined;
  getFollowUpMessages?: (() => Promise<AgentMessage[]>) | undefined;
  /** Default `parallel`. */
  toolExecution?: ToolExecutionMode | undefined;
  beforeToolCall?:
    | ((context: BeforeToolCallContext, signal?: AbortSignal) => Promise<BeforeToolCallResult | undefined>)
    | undefined;
  afterToolCall?:
    | ((context: AfterToolCallContext, signal?: AbortSignal) => Promise<AfterToolCallResult | undefined>)
    | undefined;
  /** Told what held an aborted run and was given up. */
  onUnanswered?: ((work: UnansweredWork) => void) | undefined;
}

export type ToolCallHooks = Pick<AgentLoopConfig, "beforeToolCall" | "afterToolCall" | "onUnanswered">;

/** Work that went on after the abort of its run and was not waited for any more. */
export interface UnansweredWork {
  /** Who did not end: a tool, the stream of a provider, or a hook. */
  kind: "tool" | "provider" | "hook";
  /** Of the tool, the provider or the hook. */
  name: string;
}

export interface RunToolCallOptions extends ToolCallHooks {
  tools: readonly AgentTool<any>[];
  assistantMessage: AssistantMessage;
  context: AgentContext;
  signal?: AbortSignal | undefined;
  onUpdate?: ((partialResult: AgentToolResult<any>) => void) | undefined;
}

// ---------------------------------------------------------------------------------------------------------------------
// Agent

export interface AgentState {
  /** Replayed from the system messages of the transcript. */
  readonly systemPrompt: string;
  model: Model<any>;
  thinkingLevel: ThinkingLevel;
  tools: AgentTool<any>[];
  messages: AgentMessage[];
  readonly isStreaming: boolean;
  streamingMessage?: AgentMessage | undefined;
  pendingToolCalls: ReadonlySet<string>;
  errorMessage?: string | undefined;
}

export type AgentInitialState = Partial<
  Pick<AgentState, "systemPrompt" | "model" | "thinkingLevel" | "tools" | "messages">
>;

/** Options of `Agent`; nearly all are public, mutable properties of it too. */
export interface AgentOptions
  extends Pick<
    AgentLoopConfig,
    | "transformContext"
    | "getApiKey"
    | "onPayload"
    | "onResponse"
    | "onProviderStreamEvent"
    | "beforeToolCall"
    | "afterToolCall"
    | "onUnanswered"
    | "finishTurn"
    | "prepareRequest"
    | "sessionId"
    | "thinkingBudgets"
    | "transport"
    | "maxRetryDelayMs"
    | "toolExecution"
    | "identity"
  > {
  initialState?: AgentInitialState | undefined;
  /** Default: keeps the four roles a model knows. */
  convertToLlm?: AgentLoopConfig["convertToLlm"] | undefined;
  /** Optional at run time when `setDefaultStreamFn` was called. */
  streamFn: StreamFn;
  prepareNextTurn?:
    | ((signal?: AbortSignal) => AgentLoopTurnUpdate | undefined | Promise<AgentLoopTurnUpdate | undefined>)
    | undefined;
  /** Preferred over `prepareNextTurn` when both are given. */
  prepareNextTurnWithContext?:
    | ((
        context: PrepareNextTurnContext,
        signal?: AbortSignal,
      ) => AgentLoopTurnUpdate | undefined | Promise<AgentLoopTurnUpdate | undefined>)
    | undefined;
  /** Default `one-at-a-time`. */
  steeringMode?: QueueMode | undefined;
  /** Default `one-at-a-time`. */
  followUpMode?: QueueMode | undefined;
}
