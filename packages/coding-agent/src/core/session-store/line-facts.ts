/**
 * What the store keeps of a line: the few fields that the tree, the context and the totals need. Bodies are neither
 * parsed nor decoded. Pure.
 */
import { repairedMessage, repairedUsage, timeOf } from "./repair.js";

/** Kinds of entries as numbers; 0 is every other one. */
export const ENTRY_TYPES = [
  "",
  "message",
  "model_change",
  "thinking_level_change",
  "usage",
  "compaction",
  "branch_summary",
  "custom",
  "custom_message",
  "context_edit",
  "label",
  "session_info",
] as const;
/** Roles of messages as numbers; 0 is every other one, and no message. */
export const ROLES = ["", "system", "user", "assistant", "toolResult", "bashExecution", "custom"] as const;

export type EntryType = (typeof ENTRY_TYPES)[number];
export type Role = (typeof ROLES)[number];

export interface LineUsage {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  cost: number;
}

export interface LineFacts {
  type: EntryType;
  id: string;
  /** null = a root. */
  parentId: string | null;
  /** Unix time in ms; 0 = none that can be read. */
  time: number;
  role: Role;
  /** Certain to add exactly one message to a context. */
  isOneMessage: boolean;
  usage: LineUsage | undefined;
  toolCalls: number;
  /** Where in the line a message begins that is certain to need no repair; 0 = somebody has to look. */
  soundMessageAt: number;
}

/** The facts of an entry in memory; undefined for what has no id, and for a header. */
export function factsOf(entry: unknown): LineFacts | undefined {
  if (!isRecord(entry) || typeof entry["id"] !== "string" || entry["type"] === "session") return undefined;
  const { id, parentId } = entry;
  const type = entryTypeOf(entry["type"]);
  const message = type === "message" && isRecord(entry["message"]) ? entry["message"] : {};
  const role = roleOf(message["role"]);
  const hasOwnUsage = role === "assistant" || role === "toolResult";
  const content: unknown[] = role === "assistant" && Array.isArray(message["content"]) ? message["content"] : [];
  return {
    type,
    id,
    parentId: typeof parentId === "string" ? parentId : null,
    time: timeOf(entry["timestamp"]),
    role,
    isOneMessage: role !== "" && repairedMessage(message, 0) !== undefined,
    usage: lineUsage(hasOwnUsage ? message["usage"] : hasUsage(type) ? entry["usage"] : undefined),
    toolCalls: content.filter((block) => isRecord(block) && block["type"] === "toolCall").length,
    soundMessageAt: 0,
  };
}

/** Whether entries of this kind say what they cost. */
export function hasUsage(type: EntryType): boolean {
  return type === "usage" || type === "compaction" || type === "branch_summary";
}

function lineUsage(value: unknown): LineUsage | undefined {
  if (!isRecord(value)) return undefined;
  const { input, output, cacheRead, cacheWrite, cost } = repairedUsage(value);
  return { input, output, cacheRead, cacheWrite, cost: cost.total };
}

export function entryTypeOf(value: unknown): EntryType {
  return ENTRY_TYPES.find((type) => type === value) ?? "";
}

export function roleOf(value: unknown): Role {
  return ROLES.find((role) => role === value) ?? "";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
