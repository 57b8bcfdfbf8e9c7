/** What a session file holds, line by line. Source: sessions.md sections 1-2. */
import type { AgentMessage } from "@earendil-works/pi-agent-core";
import type { ImageContent, SystemMessage, TextContent, Usage } from "@earendil-works/pi-ai";

/** Version of the format that is written. */
export const CURRENT_SESSION_VERSION = 3;

/** The first line; not part of the tree. */
export interface SessionHeader {
  type: "session";
  /** Absent = 1. */
  version?: number;
  id: string;
  /** ISO 8601. */
  timestamp: string;
  cwd: string;
  /** Absolute path of the session this one was forked from. */
  parentSession?: string;
}

export interface SessionEntryBase {
  type: string;
  /** Unique within the session. */
  id: string;
  /** null = a root. */
  parentId: string | null;
  /** ISO 8601, UTC, ms. */
  timestamp: string;
}

export interface SessionMessageEntry extends SessionEntryBase {
  type: "message";
  message: AgentMessage;
}

export interface ModelChangeEntry extends SessionEntryBase {
  type: "model_change";
  provider: string;
  modelId: string;
}

export interface ThinkingLevelChangeEntry extends SessionEntryBase {
  type: "thinking_level_change";
  thinkingLevel: string;
}

export interface UsageEntry extends SessionEntryBase {
  type: "usage";
  kind: string;
  provider: string;
  model: string;
  usage: Usage;
  note?: string;
}

export interface CompactionEntry<T = unknown> extends SessionEntryBase {
  type: "compaction";
  summary: string;
  firstKeptEntryId: string;
  tokensBefore: number;
  details?: T;
  usage?: Usage;
  fromHook?: boolean;
  systemMessage?: SystemMessage;
}

export interface BranchSummaryEntry<T = unknown> extends SessionEntryBase {
  type: "branch_summary";
  /** The leaf that was left, or `root`. */
  fromId: string;
  summary: string;
  details?: T;
  usage?: Usage;
  fromHook?: boolean;
}

export interface CustomEntry<T = unknown> extends SessionEntryBase {
  type: "custom";
  customType: string;
  data?: T;
}

export interface CustomMessageEntry<T = unknown> extends SessionEntryBase {
  type: "custom_message";
  customType: string;
  content: string | (TextContent | ImageContent)[];
  display: boolean;
  details?: T;
}

/** Content of a user, assistant, tool result or custom message. */
export type ContextEditableContent = string | object[];

export interface ContextEditEntry extends SessionEntryBase {
  type: "context_edit";
  targetId: string;
  /** null = the target adds nothing to the context. */
  replacement: null | { content: ContextEditableContent };
}

export interface LabelEntry extends SessionEntryBase {
  type: "label";
  targetId: string;
  /** Absent or empty = cleared. */
  label?: string;
}

export interface SessionInfoEntry extends SessionEntryBase {
  type: "session_info";
  /** Absent or empty = cleared. */
  name?: string;
}

export type SessionEntry =
  | SessionMessageEntry
  | ModelChangeEntry
  | ThinkingLevelChangeEntry
  | UsageEntry
  | CompactionEntry
  | BranchSummaryEntry
  | CustomEntry
  | CustomMessageEntry
  | ContextEditEntry
  | LabelEntry
  | SessionInfoEntry;

export type FileEntry = SessionHeader | SessionEntry;

/** A node of `getTree()`. */
export interface SessionTreeNode {
  entry: SessionEntry;
  children: SessionTreeNode[];
  label?: string;
  labelTimestamp?: string;
}

/** An entry with the messages it adds to the context. */
export interface ProjectedSessionEntry {
  sourceEntry: SessionEntry;
  messages: AgentMessage[];
}

export interface SessionContext {
  messages: AgentMessage[];
  thinkingLevel: string;
  model: { provider: string; modelId: string } | null;
}

export interface SessionProjection extends SessionContext {
  entries: ProjectedSessionEntry[];
}

/** Fields of an entry without those the store adds. */
export type NewEntry = SessionEntry extends infer Entry
  ? Entry extends SessionEntry
    ? Omit<Entry, "id" | "parentId" | "timestamp">
    : never
  : never;
