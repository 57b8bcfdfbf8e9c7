/**
 * The protocol of RPC mode: commands, responses and records. `rpc-protocol.schema.json` is generated from these types.
 * Source: protocol.md.
 */
import type { AgentMessage, QueueMode, ThinkingLevel } from "@earendil-works/pi-agent-core";
import type { AssistantMessageEvent, ImageContent, Model, Usage } from "@earendil-works/pi-ai";
import type { SessionStats } from "../../core/agent-session/statistics.js";
import type { AgentSessionEvent } from "../../core/agent-session-events.js";
import type { CompactionResult } from "../../core/compaction/types.js";
import type { SourceInfo } from "../../core/resources/resource-types.js";
import type { SessionEntry, SessionTreeNode } from "../../core/session-store/entries.js";
import type { BashResult } from "../../core/tools/user-command.js";

/** Given back in the response. Any JSON value; strings are usual. */
export type RpcId = unknown;

type Command<Type extends string, Fields = object> = Type extends string ? { id?: RpcId; type: Type } & Fields : never;

export type RpcCommand =
  | Command<"prompt", { message: string; images?: ImageContent[]; streamingBehavior?: "steer" | "followUp" }>
  | Command<"steer" | "follow_up", { message: string; images?: ImageContent[] }>
  | Command<"abort">
  | Command<"clear_queue">
  | Command<"new_session", { parentSession?: string }>
  | Command<"get_state">
  | Command<"get_messages">
  | Command<"set_model", { provider: string; modelId: string }>
  | Command<"cycle_model">
  | Command<"get_available_models">
  | Command<"set_thinking_level", { level: ThinkingLevel }>
  | Command<"cycle_thinking_level">
  | Command<"get_available_thinking_levels">
  | Command<"set_steering_mode" | "set_follow_up_mode", { mode: QueueMode }>
  | Command<"compact", { customInstructions?: string }>
  | Command<"set_auto_compaction" | "set_auto_retry", { enabled: boolean }>
  | Command<"abort_retry">
  | Command<"bash", { command: string; excludeFromContext?: boolean }>
  | Command<"abort_bash">
  | Command<"get_session_stats">
  | Command<"export_html", { outputPath?: string }>
  | Command<"switch_session", { sessionPath: string }>
  | Command<"fork", { entryId: string }>
  | Command<"clone">
  | Command<"get_fork_messages">
  | Command<"get_entries", { since?: string }>
  | Command<"get_tree">
  | Command<"get_last_assistant_text">
  | Command<"set_session_name", { name: string }>
  | Command<"get_commands">;

export type RpcCommandType = RpcCommand["type"];

export interface RpcSessionState {
  model: Model | null;
  thinkingLevel: ThinkingLevel;
  /** From the acceptance of a prompt until `agent_settled`. */
  isStreaming: boolean;
  isCompacting: boolean;
  steeringMode: QueueMode;
  followUpMode: QueueMode;
  /** Absent for a session in memory. */
  sessionFile?: string;
  sessionId: string;
  sessionName?: string;
  autoCompactionEnabled: boolean;
  messageCount: number;
  pendingMessageCount: number;
}

/** Something a prompt can begin with: `/name`. */
export interface RpcSlashCommand {
  name: string;
  description?: string;
  source: "extension" | "prompt" | "skill";
  /** Never for commands of extensions. */
  location?: "user" | "project" | "path";
  path?: string;
  sourceInfo: SourceInfo;
}

/** The `data` of each successful response; `undefined`: the key is absent. */
export interface RpcResponseData {
  prompt: { disposition: "started" | "queued" | "handled" };
  steer: { disposition: "queued" | "handled" };
  follow_up: { disposition: "queued" | "handled" };
  abort: undefined;
  clear_queue: { steering: string[]; followUp: string[] };
  new_session: { cancelled: boolean };
  get_state: RpcSessionState;
  get_messages: { messages: AgentMessage[] };
  set_model: Model;
  cycle_model: { model: Model; thinkingLevel: ThinkingLevel; isScoped: boolean } | null;
  get_available_models: { models: Model[] };
  set_thinking_level: undefined;
  cycle_thinking_level: { level: ThinkingLevel } | null;
  get_available_thinking_levels: { levels: ThinkingLevel[] };
  set_steering_mode: undefined;
  set_follow_up_mode: undefined;
  compact: CompactionResult;
  set_auto_compaction: undefined;
  set_auto_retry: undefined;
  abort_retry: undefined;
  bash: BashResult;
  abort_bash: undefined;
  get_session_stats: SessionStats;
  export_html: { path: string };
  switch_session: { cancelled: boolean };
  fork: { text: string; cancelled: boolean };
  clone: { cancelled: boolean };
  get_fork_messages: { messages: { entryId: string; text: string }[] };
  get_entries: { entries: SessionEntry[]; leafId: string | null };
  get_tree: { tree: SessionTreeNode[]; leafId: string | null };
  get_last_assistant_text: { text: string | null };
  set_session_name: undefined;
  get_commands: { commands: RpcSlashCommand[] };
}

export type RpcSuccess = {
  [Type in RpcCommandType]: RpcResponseData[Type] extends undefined
    ? { id?: RpcId; type: "response"; command: Type; success: true }
    : { id?: RpcId; type: "response"; command: Type; success: true; data: RpcResponseData[Type] };
}[RpcCommandType];

export interface RpcFailure {
  id?: RpcId;
  type: "response";
  /** The given type; `parse` for a line that is no command; absent when the command had none. */
  command?: string;
  success: false;
  error: string;
}

export type RpcResponse = RpcSuccess | RpcFailure;

/** One streamed piece, without the message so far. */
export type JsonAssistantMessageEvent = AssistantMessageEvent extends infer Event
  ? Event extends { partial: unknown }
    ? Omit<Event, "partial">
    : Event
  : never;

/** A session event as it crosses the process boundary. */
export type JsonAgentSessionEvent =
  | Exclude<AgentSessionEvent, { type: "message_update" | "compaction_end" }>
  | {
      type: "message_update";
      usage?: Usage;
      assistantMessageEvent: JsonAssistantMessageEvent & { id?: string; toolName?: string };
    }
  | (Omit<Extract<AgentSessionEvent, { type: "compaction_end" }>, "result"> & { result: CompactionResult | null });

/** A handler of an extension threw. */
export interface RpcExtensionError {
  type: "extension_error";
  extensionPath: string;
  event: string;
  error: string;
}

type UIRequest<Method extends string, Fields> = { type: "extension_ui_request"; id: string; method: Method } & Fields;

/** An extension asks the user something, or shows something. */
export type RpcExtensionUIRequest =
  | UIRequest<"select", { title: string; options: string[]; timeout?: number }>
  | UIRequest<"confirm", { title: string; message: string; timeout?: number }>
  | UIRequest<"input", { title: string; placeholder?: string; timeout?: number }>
  | UIRequest<"editor", { title: string; prefill?: string }>
  | UIRequest<"notify", { message: string; notifyType?: "info" | "warning" | "error" }>
  | UIRequest<"setStatus", { statusKey: string; statusText?: string }>
  | UIRequest<
      "setWidget",
      { widgetKey: string; widgetLines?: string[]; widgetPlacement?: "aboveEditor" | "belowEditor" }
    >
  | UIRequest<"setTitle", { title: string }>
  | UIRequest<"set_editor_text", { text: string }>;

/** The user's answer to a dialog. No response follows. */
export type RpcExtensionUIResponse =
  | { type: "extension_ui_response"; id: string; value: string }
  | { type: "extension_ui_response"; id: string; confirmed: boolean }
  | { type: "extension_ui_response"; id: string; cancelled: true };

/** Every line that RPC mode writes. */
export type RpcRecord = RpcResponse | JsonAgentSessionEvent | RpcExtensionError | RpcExtensionUIRequest;
