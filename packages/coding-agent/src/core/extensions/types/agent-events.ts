/**
 * What happens in a run: input, requests, messages, settlement. Source: extensions.md section 6.
 *
 * `any` stands where the published contract has it (exports.md): extensions compiled against it would break with `unknown`.
 */
import type { AgentMessage, ThinkingLevel } from "@earendil-works/pi-agent-core";
import type {
  Api,
  AssistantMessageEvent,
  ImageContent,
  Message,
  Model,
  ProviderHeaders,
  ToolResultMessage,
  Usage,
} from "@earendil-works/pi-ai";
import type { CustomMessage } from "../../messages.js";
import type { ContextEditableContent, ProjectedSessionEntry } from "../../session-store/entries.js";
import type { CustomMessageInput } from "./context.js";
import type { NormalizedBuildSystemPromptOptions } from "./system-prompt.js";

export type InputSource = "interactive" | "rpc" | "extension";

/** What the user wrote, before skills and templates are expanded. Commands do not come here. */
export interface InputEvent {
  type: "input";
  text: string;
  images?: ImageContent[] | undefined;
  source: InputSource;
  /** How it is to be queued, while a run is active. */
  streamingBehavior?: "steer" | "followUp" | undefined;
}
export type InputEventResult =
  | { action: "continue" }
  /** Images that are left out stay. */
  | { action: "transform"; text: string; images?: ImageContent[] | undefined }
  /** Nothing else happens with it. */
  | { action: "handled" };

interface BeforeAgentStart {
  type: "before_agent_start";
  /** As the handlers before have left it. */
  readonly systemPrompt: string;
  /** May be changed in place; holds for this run. */
  systemPromptOptions: NormalizedBuildSystemPromptOptions;
}
export interface BeforeAgentStartUserEvent extends BeforeAgentStart {
  messageType: "user";
  prompt: string;
  images?: ImageContent[] | undefined;
}
export interface BeforeAgentStartCustomEvent extends BeforeAgentStart {
  messageType: "custom";
  message: CustomMessage;
}
/** Once per run, before it begins. */
export type BeforeAgentStartEvent = BeforeAgentStartUserEvent | BeforeAgentStartCustomEvent;
export interface BeforeAgentStartEventResult {
  /** Goes along with the prompt. */
  message?: CustomMessageInput | undefined;
  /** The whole system prompt of this run. */
  systemPrompt?: string | undefined;
}

export interface AgentStartEvent {
  type: "agent_start";
}
/** A retry, a summary or a queued message may follow. */
export interface AgentEndEvent {
  type: "agent_end";
  messages: AgentMessage[];
}
/** Nothing follows by itself. */
export interface AgentSettledEvent {
  type: "agent_settled";
  aborted: boolean;
}

/** Before each request: a copy of the conversation, without system messages. May be changed in place. */
export interface ContextEvent {
  type: "context";
  messages: AgentMessage[];
}
/** After `context`: with system messages. What is returned is sent as it is. */
export interface ContextWithSystemEvent {
  type: "context_with_system";
  messages: AgentMessage[];
}
export interface ContextEventResult {
  messages?: AgentMessage[] | undefined;
}

/** Change `headers` in place; null takes one away. */
export interface BeforeProviderHeadersEvent {
  type: "before_provider_headers";
  headers: ProviderHeaders;
}
export interface BeforeProviderRequestEvent {
  type: "before_provider_request";
  payload: unknown;
}
/** Anything but undefined takes the place of the payload. */
export type BeforeProviderRequestEventResult = unknown;
export interface AfterProviderResponseEvent {
  type: "after_provider_response";
  status: number;
  headers: Record<string, string>;
}
export interface ProviderStreamEvent {
  type: "provider_stream_event";
  provider: string;
  api: Api;
  model: string;
  data: unknown;
}

export interface TurnStartEvent {
  type: "turn_start";
  turnIndex: number;
  /** ms since the epoch. */
  timestamp: number;
}

export interface MessageStartEvent {
  type: "message_start";
  message: AgentMessage;
}
export interface MessageUpdateEvent {
  type: "message_update";
  /** As far as it has come. */
  message: AgentMessage;
  assistantMessageEvent: AssistantMessageEvent;
}
export interface MessageEndEvent {
  type: "message_end";
  message: AgentMessage;
}
export interface MessageEndEventResult {
  /** Takes the place of the message; of the same role. */
  message?: AgentMessage | undefined;
}

export type ModelSelectSource = "set" | "cycle" | "restore";
export interface ModelSelectEvent {
  type: "model_select";
  model: Model<any>;
  previousModel?: Model<any> | undefined;
  source: ModelSelectSource;
}
export interface ThinkingLevelSelectEvent {
  type: "thinking_level_select";
  level: ThinkingLevel;
  previousLevel: ThinkingLevel;
}

export type UIPromptKind = "select" | "confirm" | "input" | "editor" | "custom";
interface UIPrompt {
  reason: "ui_prompt";
  kind: UIPromptKind;
  title?: string | undefined;
}
/** The program waits for the user. */
export interface UIPromptStartEvent extends UIPrompt {
  type: "ui_prompt_start";
}
export interface UIPromptEndEvent extends UIPrompt {
  type: "ui_prompt_end";
}

export interface CacheWarmingDecisionEvent {
  type: "cache_warming_decision";
  warmCost: number;
  missCost: number;
  continuationProbability: number;
  action: "warm" | "stop";
}
export interface CacheWarmingDecisionEventResult {
  action?: "warm" | "stop" | undefined;
}

export interface McpServersChangeEvent {
  type: "mcp_servers_change";
  servers: readonly { name: string; config: unknown; extensionPath: string }[];
}

// -- Boundaries: between turns, and before the agent settles -----------------------------------------------------------

export interface CustomEntryDraft {
  type: "custom";
  customType: string;
  data?: unknown;
}
export interface CustomMessageEntryDraft extends CustomMessageInput {
  type: "custom_message";
}
export interface ContextEditEntryDraft {
  type: "context_edit";
  targetId: string;
  replacement: null | { content: ContextEditableContent };
}
export interface CompactionEntryDraft {
  type: "compaction";
  summary: string;
  firstKeptEntryId: string | null;
  details?: unknown;
  usage?: Usage | undefined;
}
export type SessionBoundaryDraft =
  | CustomEntryDraft
  | CustomMessageEntryDraft
  | ContextEditEntryDraft
  | CompactionEntryDraft;

export type AgentActivityOutcome = "completed" | "aborted" | "error";

/** The context as it will be with the entries proposed so far. */
export interface BoundaryContextPreview {
  contextEntries: ProjectedSessionEntry[];
  contextMessages: AgentMessage[];
  llmMessages: Message[];
  /** Queued; sent with the next request. */
  pendingMessages: AgentMessage[];
  canContinue: boolean;
}
export interface BoundaryState {
  entries: SessionBoundaryDraft[];
  continue: boolean;
  context: BoundaryContextPreview;
  outcome: AgentActivityOutcome;
}
/** A field that is given replaces that field. */
export interface BoundaryResult {
  entries?: SessionBoundaryDraft[] | undefined;
  /** One more request. */
  continue?: boolean | undefined;
}

export interface TurnEndEvent extends BoundaryState {
  type: "turn_end";
  turnIndex: number;
  message: AgentMessage;
  toolResults: ToolResultMessage[];
  messageEntryId: string | undefined;
  toolResultEntryIds: (string | undefined)[];
}
export type TurnEndEventResult = BoundaryResult;

export interface AgentBeforeSettleEvent extends BoundaryState {
  type: "agent_before_settle";
}
export type AgentBeforeSettleEventResult = BoundaryResult;
