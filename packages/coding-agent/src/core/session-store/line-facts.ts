/**
 * What the store keeps of a line: the few fields that the tree, the context and the totals need. Bodies are neither
 * parsed nor decoded. Pure.
 */
import type { FileEntry } from "./entries.js";
import { BROKEN, bytesAre, ESCAPED, skipSpace, valueAt, walkItems, walkMembers } from "./json-scan.js";
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
}

/** Lines begin so unless they were written by a stranger. Longer names are left to the scanner. */
const usualHead =
  /^\{"type":"([a-z_]+)","id":"([!#-[\]-~]{1,64})","parentId":(?:null|"([!#-[\]-~]{1,64})"),"timestamp":"([0-9T:.Z-]{20,30})"(?:,"message":\{"role":"([A-Za-z]+)"(,"toolCallId":")?)?/;
const headBytes = 260;
/** The message was the last member and ended with its time: nothing is missing. Source: sessions.md section 10. */
const usualEnd = /"(?:timestamp|durationMs)":\d+\}\}$/;
const endBytes = 40;
const usageName = Buffer.from('"usage"');

/**
 * The facts of the line from `at` to `end`; undefined for what is no whole JSON object, has no id or is a header: such
 * lines stay in the file only.
 */
export function readLineFacts(bytes: Buffer, at: number, end: number): LineFacts | undefined {
  let last = end;
  while (last > at && (bytes[last - 1] ?? 0) <= 0x20) last--;
  const first = skipSpace(bytes, at, last);
  if (bytes[first] !== 0x7b || bytes[last - 1] !== 0x7d) return undefined;
  return usualFacts(bytes, first, last) ?? scannedFacts(bytes, first, last);
}

function usualFacts(bytes: Buffer, at: number, end: number): LineFacts | undefined {
  const head = usualHead.exec(bytes.toString("latin1", at, Math.min(end, at + headBytes)));
  if (head?.[1] !== "message") return undefined;
  const role = roleOf(head[5]);
  // Answers are scanned for calls and usage; whatever is not known to be whole, to see whether it is.
  if (role === "" || role === "assistant" || (role === "toolResult" && !head[6])) return undefined;
  if (!usualEnd.test(bytes.toString("latin1", Math.max(at, end - endBytes), end))) return undefined;
  if (role === "toolResult" && bytes.subarray(at, end).includes(usageName)) return undefined;
  return {
    type: "message",
    id: head[2] as string,
    parentId: head[3] ?? null,
    time: timeOf(head[4]),
    role,
    isOneMessage: true,
    usage: undefined,
    toolCalls: 0,
  };
}

/** Any order of members, any white space. */
function scannedFacts(bytes: Buffer, at: number, end: number): LineFacts | undefined {
  const spans = { type: 0, id: 0, parentId: 0, timestamp: 0, message: 0, usage: 0 };
  const ends = { ...spans };
  const behind = walkMembers(bytes, at, end, (nameAt, nameEnd, from, to) => {
    const name = memberName(bytes, nameAt, nameEnd);
    if (name) {
      spans[name] = from;
      ends[name] = to;
    }
    return 0;
  });
  if (behind === ESCAPED) return parsedFacts(bytes, at, end);
  if (behind !== end) return undefined;
  const value = (name: keyof typeof spans) => (spans[name] === 0 ? undefined : valueAt(bytes, spans[name], ends[name]));
  const id = value("id");
  const typeName = value("type");
  if (typeof id !== "string" || typeName === "session") return undefined;
  const type = entryTypeOf(typeName);
  const parentId = value("parentId");
  const facts: LineFacts = {
    type,
    id,
    parentId: typeof parentId === "string" ? parentId : null,
    time: timeOf(value("timestamp")),
    role: "",
    isOneMessage: false,
    usage: hasUsage(type) ? lineUsage(value("usage")) : undefined,
    toolCalls: 0,
  };
  if (type !== "message" || bytes[spans.message] !== 0x7b) return facts;
  const scanned = scanMessage(bytes, spans.message, ends.message, facts);
  if (scanned === ESCAPED) return parsedFacts(bytes, at, end);
  return scanned === BROKEN ? undefined : facts;
}

type Member = "type" | "id" | "parentId" | "timestamp" | "message" | "usage";

function memberName(bytes: Buffer, at: number, end: number): Member | undefined {
  switch (end - at) {
    case 2:
      return bytesAre(bytes, at, end, "id") ? "id" : undefined;
    case 4:
      return bytesAre(bytes, at, end, "type") ? "type" : undefined;
    case 5:
      return bytesAre(bytes, at, end, "usage") ? "usage" : undefined;
    case 7:
      return bytesAre(bytes, at, end, "message") ? "message" : undefined;
    case 8:
      return bytesAre(bytes, at, end, "parentId") ? "parentId" : undefined;
    case 9:
      return bytesAre(bytes, at, end, "timestamp") ? "timestamp" : undefined;
    default:
      return undefined;
  }
}

function scanMessage(bytes: Buffer, at: number, end: number, facts: LineFacts): number {
  let usageAt = 0;
  let usageEnd = 0;
  let contentAt = 0;
  let hasCallId = false;
  const behind = walkMembers(bytes, at, end, (nameAt, nameEnd, from, to) => {
    const length = nameEnd - nameAt;
    if (length === 4 && bytesAre(bytes, nameAt, nameEnd, "role")) facts.role = roleOf(valueAt(bytes, from, to));
    else if (length === 10 && bytesAre(bytes, nameAt, nameEnd, "toolCallId")) hasCallId = bytes[from] === 0x22;
    else if (length === 7 && bytesAre(bytes, nameAt, nameEnd, "content")) contentAt = from;
    else if (length === 5 && bytesAre(bytes, nameAt, nameEnd, "usage")) {
      usageAt = from;
      usageEnd = to;
    }
    return 0;
  });
  if (behind < 0) return behind;
  facts.isOneMessage = facts.role !== "" && (facts.role !== "toolResult" || hasCallId);
  if (usageAt > 0 && (facts.role === "assistant" || facts.role === "toolResult")) {
    facts.usage = lineUsage(valueAt(bytes, usageAt, usageEnd));
  }
  if (facts.role !== "assistant" || bytes[contentAt] !== 0x5b) return behind;
  return walkItems(bytes, contentAt, end, (itemAt, itemEnd) => {
    if (bytes[itemAt] !== 0x7b) return 0;
    let isCall = false;
    const walked = walkMembers(bytes, itemAt, itemEnd, (nameAt, nameEnd, from, to) => {
      if (bytesAre(bytes, nameAt, nameEnd, "type")) isCall = bytesAre(bytes, from, to, '"toolCall"');
      return 0;
    });
    if (isCall) facts.toolCalls++;
    return walked;
  });
}

function parsedFacts(bytes: Buffer, at: number, end: number): LineFacts | undefined {
  return factsOf(valueAt(bytes, at, end) as FileEntry | undefined);
}

/** The same from an entry in memory. */
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
  };
}

function hasUsage(type: EntryType): boolean {
  return type === "usage" || type === "compaction" || type === "branch_summary";
}

function lineUsage(value: unknown): LineUsage | undefined {
  if (!isRecord(value)) return undefined;
  const { input, output, cacheRead, cacheWrite, cost } = repairedUsage(value);
  return { input, output, cacheRead, cacheWrite, cost: cost.total };
}

function entryTypeOf(value: unknown): EntryType {
  return ENTRY_TYPES.find((type) => type === value) ?? "";
}

function roleOf(value: unknown): Role {
  return ROLES.find((role) => role === value) ?? "";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
