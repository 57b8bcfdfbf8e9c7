/**
 * Calls of tools and commands of the user. Source: extensions.md section 6.
 *
 * `any` stands where the published contract has it (exports.md): extensions compiled against it would break with `unknown`.
 */
import type { AgentToolResult } from "@earendil-works/pi-agent-core";
import type { ImageContent, JsonValue, TextContent, Usage } from "@earendil-works/pi-ai";
import type { BashOperations } from "../../process/local-bash-operations.js";
import type { BashToolDetails } from "../../tools/bash/details.js";
import type { BashToolInput } from "../../tools/bash.js";
import type { EditToolDetails, EditToolInput } from "../../tools/edit.js";
import type { FindToolDetails, FindToolInput } from "../../tools/find.js";
import type { GrepToolDetails, GrepToolInput } from "../../tools/grep.js";
import type { LsToolDetails, LsToolInput } from "../../tools/ls.js";
import type { ReadToolDetails, ReadToolInput } from "../../tools/read.js";
import type { BashResult } from "../../tools/user-command.js";
import type { WriteToolInput } from "../../tools/write.js";

export type PowerShellToolInput = BashToolInput;
export type PowerShellToolDetails = BashToolDetails;

interface ToolExecution {
  toolCallId: string;
  toolName: string;
  /** The call was made by the tool of this call. */
  parentToolCallId?: string | undefined;
}
export interface ToolExecutionStartEvent extends ToolExecution {
  type: "tool_execution_start";
  /** As the model wrote them. */
  args: any;
}
export interface ToolExecutionUpdateEvent extends ToolExecution {
  type: "tool_execution_update";
  args: any;
  partialResult: AgentToolResult<any>;
}
/** For every call, also one that was blocked or named no tool. */
export interface ToolExecutionEndEvent extends ToolExecution {
  type: "tool_execution_end";
  result: AgentToolResult<any>;
  isError: boolean;
  durationMs?: number | undefined;
}

interface ToolCallOf<Name extends string, Input> {
  type: "tool_call";
  toolCallId: string;
  toolName: Name;
  /** Validated. Changes reach later handlers and the tool, without another validation. */
  input: Input;
  parentToolCallId?: string | undefined;
}
export type BashToolCallEvent = ToolCallOf<"bash", BashToolInput>;
export type PowerShellToolCallEvent = ToolCallOf<"powershell", PowerShellToolInput>;
export type ReadToolCallEvent = ToolCallOf<"read", ReadToolInput>;
export type EditToolCallEvent = ToolCallOf<"edit", EditToolInput>;
export type WriteToolCallEvent = ToolCallOf<"write", WriteToolInput>;
export type GrepToolCallEvent = ToolCallOf<"grep", GrepToolInput>;
export type FindToolCallEvent = ToolCallOf<"find", FindToolInput>;
export type LsToolCallEvent = ToolCallOf<"ls", LsToolInput>;
export type CustomToolCallEvent = ToolCallOf<string, Record<string, unknown>>;

/** Before a call runs. A handler that throws blocks it. */
export type ToolCallEvent =
  | BashToolCallEvent
  | PowerShellToolCallEvent
  | ReadToolCallEvent
  | EditToolCallEvent
  | WriteToolCallEvent
  | GrepToolCallEvent
  | FindToolCallEvent
  | LsToolCallEvent
  | CustomToolCallEvent;
export interface ToolCallEventResult {
  block?: boolean | undefined;
  /** What the model is told. */
  reason?: string | undefined;
  /** With `block`: end the run after this batch, if every result of it says so. */
  terminate?: boolean | undefined;
}

interface ToolResultOf<Name extends string, Details, Input = Record<string, unknown>> {
  type: "tool_result";
  toolCallId: string;
  toolName: Name;
  input: Input;
  content: (TextContent | ImageContent)[];
  details: Details;
  structuredContent?: JsonValue | undefined;
  isError: boolean;
  usage?: Usage | undefined;
  parentToolCallId?: string | undefined;
}
export type BashToolResultEvent = ToolResultOf<"bash", BashToolDetails | undefined>;
export type PowerShellToolResultEvent = ToolResultOf<"powershell", PowerShellToolDetails | undefined>;
export type ReadToolResultEvent = ToolResultOf<"read", ReadToolDetails | undefined>;
export type EditToolResultEvent = ToolResultOf<"edit", EditToolDetails | undefined>;
export type WriteToolResultEvent = ToolResultOf<"write", undefined>;
export type GrepToolResultEvent = ToolResultOf<"grep", GrepToolDetails | undefined>;
export type FindToolResultEvent = ToolResultOf<"find", FindToolDetails | undefined>;
export type LsToolResultEvent = ToolResultOf<"ls", LsToolDetails | undefined>;
export type CustomToolResultEvent = ToolResultOf<string, unknown>;

/** After a call has run. */
export type ToolResultEvent =
  | BashToolResultEvent
  | PowerShellToolResultEvent
  | ReadToolResultEvent
  | EditToolResultEvent
  | WriteToolResultEvent
  | GrepToolResultEvent
  | FindToolResultEvent
  | LsToolResultEvent
  | CustomToolResultEvent;
/** Fields that are given replace those of the result. New `content` alone drops `structuredContent`. */
export interface ToolResultEventResult {
  content?: (TextContent | ImageContent)[] | undefined;
  details?: unknown;
  structuredContent?: JsonValue | undefined;
  isError?: boolean | undefined;
  usage?: Usage | undefined;
}

/** A command of the user: `!command`, or `bash` in RPC mode. */
export interface UserBashEvent {
  type: "user_bash";
  command: string;
  excludeFromContext: boolean;
  cwd: string;
}
/** One of both: where it runs, or what came of it. */
export type UserBashEventResult =
  | { operations: BashOperations; result?: undefined }
  | { result: BashResult; operations?: undefined };
