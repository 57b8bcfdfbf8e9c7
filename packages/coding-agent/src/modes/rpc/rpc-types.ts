/**
 * The protocol of RPC mode: commands, responses and records. `rpc-protocol.schema.json` is generated from these types.
 * Source: protocol.md.
 */
import type { AgentMessage, QueueMode } from "@earendil-works/pi-agent-core";
import type {
  ImageContent,
  Message,
  Model,
  ModelThinkingLevel,
  TextContent,
  ToolCall,
  Usage,
} from "@earendil-works/pi-ai";
import type { SessionStats } from "../../core/agent-session/statistics.js";
import type { AgentSessionEvent, CompactionReason } from "../../core/agent-session-events.js";
import type { CompactionResult } from "../../core/compaction/types.js";
import type {
  BashExecutionMessage,
  BranchSummaryMessage,
  CompactionSummaryMessage,
  CustomMessage,
} from "../../core/messages.js";
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
  | Command<"set_thinking_level", { level: ModelThinkingLevel }>
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
  thinkingLevel: ModelThinkingLevel;
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
  description?: string | undefined;
  source: "extension" | "prompt" | "skill";
  /** Never for commands of extensions. */
  location?: "user" | "project" | "path";
  path?: string;
  sourceInfo: SourceInfo;
}

interface Success<Type extends RpcCommandType> {
  id?: RpcId;
  type: "response";
  command: Type;
  success: true;
}

interface Answer<Type extends RpcCommandType, Data> extends Success<Type> {
  data: Data;
}

export type RpcSuccess =
  | Answer<"prompt", { disposition: "started" | "queued" | "handled" }>
  | Answer<"steer", { disposition: "queued" | "handled" }>
  | Answer<"follow_up", { disposition: "queued" | "handled" }>
  | Success<"abort">
  | Answer<"clear_queue", { steering: string[]; followUp: string[] }>
  | Answer<"new_session", { cancelled: boolean }>
  | Answer<"get_state", RpcSessionState>
  | Answer<"get_messages", { messages: AgentMessage[] }>
  | Answer<"set_model", Model>
  | Answer<"cycle_model", { model: Model; thinkingLevel: ModelThinkingLevel; isScoped: boolean } | null>
  | Answer<"get_available_models", { models: Model[] }>
  | Success<"set_thinking_level">
  | Answer<"cycle_thinking_level", { level: ModelThinkingLevel } | null>
  | Answer<"get_available_thinking_levels", { levels: ModelThinkingLevel[] }>
  | Success<"set_steering_mode">
  | Success<"set_follow_up_mode">
  | Answer<"compact", CompactionResult>
  | Success<"set_auto_compaction">
  | Success<"set_auto_retry">
  | Success<"abort_retry">
  | Answer<"bash", BashResult>
  | Success<"abort_bash">
  | Answer<"get_session_stats", SessionStats>
  | Answer<"export_html", { path: string }>
  | Answer<"switch_session", { cancelled: boolean }>
  | Answer<"fork", { text: string; cancelled: boolean }>
  | Answer<"clone", { cancelled: boolean }>
  | Answer<"get_fork_messages", { messages: { entryId: string; text: string }[] }>
  | Answer<"get_entries", { entries: SessionEntry[]; leafId: string | null }>
  | Answer<"get_tree", { tree: SessionTreeNode[]; leafId: string | null }>
  | Answer<"get_last_assistant_text", { text: string | null }>
  | Success<"set_session_name">
  | Answer<"get_commands", { commands: RpcSlashCommand[] }>;

/** The `data` of each successful response; `undefined`: the key is absent. */
export type RpcResponseData = {
  [Type in RpcCommandType]: Extract<RpcSuccess, { command: Type }> extends { data: infer Data } ? Data : undefined;
};

export interface RpcFailure {
  id?: RpcId;
  type: "response";
  /** The given type; `parse` for a line that is no command; absent when the command had none. */
  command?: string;
  success: false;
  error: string;
}

export type RpcResponse = RpcSuccess | RpcFailure;

/** One streamed piece, without the message so far. `contentIndex` counts the blocks of `message.content`. */
export type JsonAssistantMessageEvent =
  | { type: "text_start" | "thinking_start"; contentIndex: number }
  | { type: "text_delta" | "thinking_delta" | "toolcall_delta"; contentIndex: number; delta: string }
  | { type: "text_end" | "thinking_end"; contentIndex: number; content: string }
  | { type: "toolcall_start"; contentIndex: number; id?: string; toolName?: string }
  | { type: "toolcall_end"; contentIndex: number; toolCall: ToolCall };

/** What tools give back, on the wire: `details` belong to the tool. */
export interface JsonToolResult {
  content: (TextContent | ImageContent)[];
  details?: unknown;
  structuredContent?: unknown;
  usage?: Usage;
  terminate?: boolean;
}

/** A session event as it crosses the process boundary. */
export type JsonAgentSessionEvent =
  | Exclude<
      AgentSessionEvent,
      { type: "message_update" | "compaction_end" | "tool_execution_update" | "tool_execution_end" }
    >
  | { type: "message_update"; usage?: Usage; assistantMessageEvent: JsonAssistantMessageEvent }
  | {
      type: "tool_execution_update";
      toolCallId: string;
      toolName: string;
      args: unknown;
      /** Built-in tools: all output so far. */
      partialResult: JsonToolResult;
    }
  | {
      type: "tool_execution_end";
      toolCallId: string;
      toolName: string;
      result: JsonToolResult;
      isError: boolean;
      /** Absent when the tool did not run. */
      durationMs?: number;
    }
  | {
      type: "compaction_end";
      reason: CompactionReason;
      result: CompactionResult | null;
      aborted: boolean;
      willRetry: boolean;
      errorMessage?: string;
    };

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

/** A message of the transcript as it crosses the process boundary. Readers must bear roles they do not know. */
export type WireMessage =
  | Message
  | (Omit<BashExecutionMessage, "fullOutputPath"> & { fullOutputPath?: string | null })
  | CustomMessage
  | BranchSummaryMessage
  | CompactionSummaryMessage;

/** Both directions, for the published description. */
export interface RpcProtocol {
  /** A line the client writes. */
  input: RpcCommand | RpcExtensionUIResponse;
  /** A line the program writes. */
  output: RpcRecord;
  message: WireMessage;
}
