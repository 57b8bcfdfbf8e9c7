/** Which tool an event is about. Source: extensions.md section 6 ("Guards"). */
import type {
  BashToolCallEvent,
  BashToolResultEvent,
  CustomToolCallEvent,
  EditToolCallEvent,
  EditToolResultEvent,
  FindToolCallEvent,
  FindToolResultEvent,
  GrepToolCallEvent,
  GrepToolResultEvent,
  LsToolCallEvent,
  LsToolResultEvent,
  PowerShellToolCallEvent,
  PowerShellToolResultEvent,
  ReadToolCallEvent,
  ReadToolResultEvent,
  ToolCallEvent,
  ToolResultEvent,
  WriteToolCallEvent,
  WriteToolResultEvent,
} from "./types/tool-events.js";

interface BuiltinToolCalls {
  bash: BashToolCallEvent;
  powershell: PowerShellToolCallEvent;
  read: ReadToolCallEvent;
  edit: EditToolCallEvent;
  write: WriteToolCallEvent;
  grep: GrepToolCallEvent;
  find: FindToolCallEvent;
  ls: LsToolCallEvent;
}

/** For built-in names the input is known; for others it is what the caller says: `<"mine", MyInput>("mine", event)`. */
export function isToolCallEventType<Name extends keyof BuiltinToolCalls>(
  name: Name,
  event: ToolCallEvent,
): event is BuiltinToolCalls[Name];
export function isToolCallEventType<Name extends string, Input extends object>(
  name: Name,
  event: ToolCallEvent,
): event is Omit<CustomToolCallEvent, "toolName" | "input"> & {
  toolName: Name;
  input: Input & Record<string, unknown>;
};
export function isToolCallEventType(name: string, event: ToolCallEvent): boolean {
  return event.toolName === name;
}

export function isBashToolResult(event: ToolResultEvent): event is BashToolResultEvent {
  return event.toolName === "bash";
}

export function isPowerShellToolResult(event: ToolResultEvent): event is PowerShellToolResultEvent {
  return event.toolName === "powershell";
}

export function isReadToolResult(event: ToolResultEvent): event is ReadToolResultEvent {
  return event.toolName === "read";
}

export function isEditToolResult(event: ToolResultEvent): event is EditToolResultEvent {
  return event.toolName === "edit";
}

export function isWriteToolResult(event: ToolResultEvent): event is WriteToolResultEvent {
  return event.toolName === "write";
}

export function isGrepToolResult(event: ToolResultEvent): event is GrepToolResultEvent {
  return event.toolName === "grep";
}

export function isFindToolResult(event: ToolResultEvent): event is FindToolResultEvent {
  return event.toolName === "find";
}

export function isLsToolResult(event: ToolResultEvent): event is LsToolResultEvent {
  return event.toolName === "ls";
}
