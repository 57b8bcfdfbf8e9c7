/** From entries to what the model is told. Pure. Source: sessions.md section 2, "Context rebuild". */
import type { AgentMessage } from "@earendil-works/pi-agent-core";
import type {
  CompactionEntry,
  ContextEditEntry,
  ProjectedSessionEntry,
  SessionContext,
  SessionEntry,
  SessionProjection,
} from "./entries.js";
import { repairedMessage, timeOf } from "./repair.js";

/** The path from a root to `leafId`, oldest first. A missing parent or a cycle ends the walk. */
export function pathToLeaf(byId: ReadonlyMap<string, SessionEntry>, leafId: string | null): SessionEntry[] {
  const path: SessionEntry[] = [];
  const seen = new Set<string>();
  for (let id = leafId; id !== null && !seen.has(id); ) {
    const entry = byId.get(id);
    if (!entry) break;
    seen.add(id);
    path.push(entry);
    id = entry.parentId ?? null;
  }
  return path.reverse();
}

/**
 * The entries that make up the context of a leaf: its path, cut by the latest compaction on it.
 *
 * @param leafId null = nothing; absent or unknown = the last entry
 */
export function buildContextEntries(
  entries: readonly SessionEntry[],
  leafId?: string | null,
  byId: ReadonlyMap<string, SessionEntry> = indexById(entries),
): SessionEntry[] {
  return cutAtCompaction(pathOf(entries, leafId, byId), inMemory);
}

/** The context of a leaf with the messages of each entry, edits applied. */
export function buildSessionProjection(
  entries: readonly SessionEntry[],
  leafId?: string | null,
  byId: ReadonlyMap<string, SessionEntry> = indexById(entries),
): SessionProjection {
  const path = pathOf(entries, leafId, byId);
  const projected = projectEntries(cutAtCompaction(path, inMemory));
  return {
    entries: projected,
    messages: projected.flatMap((entry) => entry.messages),
    ...latestSettings(path),
  };
}

/** The messages of the entries that make up a context, edits applied. */
export function projectEntries(selected: readonly SessionEntry[]): ProjectedSessionEntry[] {
  const edits = latestEdits(selected);
  return selected.map((sourceEntry, index) => ({
    sourceEntry,
    messages: contextMessagesOf(sourceEntry, index, edits.get(sourceEntry.id)),
  }));
}

/** @param index place of the entry among those of the context */
export function contextMessagesOf(
  entry: SessionEntry,
  index: number,
  edit: ContextEditEntry | undefined,
): AgentMessage[] {
  // An older compaction inside the kept range has nothing to add: the latest one summarises it.
  const messages = entry.type === "compaction" && index > 0 ? [] : sessionEntryToContextMessages(entry);
  return applyEdit(messages, edit);
}

/** The context of a leaf without the entries behind it. */
export function buildSessionContext(
  entries: readonly SessionEntry[],
  leafId?: string | null,
  byId?: ReadonlyMap<string, SessionEntry>,
): SessionContext {
  const { messages, thinkingLevel, model } = buildSessionProjection(entries, leafId, byId);
  return { messages, thinkingLevel, model };
}

/** The messages one entry adds when nothing edits it: none when it holds nothing that can be one. */
export function sessionEntryToContextMessages(entry: SessionEntry): AgentMessage[] {
  const timestamp = timeOf(entry.timestamp);
  const repaired = (message: unknown) => repairedMessage(message, timestamp) ?? [];
  const messages = (...candidates: unknown[]) => candidates.flatMap(repaired);
  switch (entry.type) {
    case "message":
      return messages(entry.message);
    case "custom_message":
      return messages({
        role: "custom",
        customType: entry.customType,
        content: entry.content,
        display: entry.display,
        ...(entry.details !== undefined && { details: entry.details }),
        timestamp,
      });
    case "branch_summary":
      if (typeof entry.summary !== "string" || entry.summary === "") return [];
      return messages({ role: "branchSummary", summary: entry.summary, fromId: entry.fromId, timestamp });
    case "compaction":
      return messages(entry.systemMessage, {
        role: "compactionSummary",
        summary: entry.summary,
        tokensBefore: entry.tokensBefore,
        timestamp,
      });
    default:
      return [];
  }
}

/** The latest compaction in file order. */
export function getLatestCompactionEntry(entries: readonly SessionEntry[]): CompactionEntry | null {
  return entries.findLast((entry): entry is CompactionEntry => entry.type === "compaction") ?? null;
}

export function indexById(entries: readonly SessionEntry[]): Map<string, SessionEntry> {
  const byId = new Map<string, SessionEntry>();
  for (const entry of entries) {
    // The first of two entries with one id wins: the later one cannot be told from a copy.
    if (!byId.has(entry.id)) byId.set(entry.id, entry);
  }
  return byId;
}

function pathOf(
  entries: readonly SessionEntry[],
  leafId: string | null | undefined,
  byId: ReadonlyMap<string, SessionEntry>,
): SessionEntry[] {
  if (leafId === null) return [];
  const known = leafId !== undefined && byId.has(leafId) ? leafId : entries.at(-1)?.id;
  return known === undefined ? [] : pathToLeaf(byId, known);
}

/** How the cut looks at an entry, in memory or in an index. */
export interface EntryLook<Item> {
  isCompaction(item: Item): boolean;
  isSystemMessage(item: Item): boolean;
  id(item: Item): string;
  /** Asked of the latest compaction only. */
  firstKeptEntryId(compaction: Item): unknown;
}

const inMemory: EntryLook<SessionEntry> = {
  isCompaction: (entry) => entry.type === "compaction",
  isSystemMessage: (entry) => entry.type === "message" && entry.message?.role === "system",
  id: (entry) => entry.id,
  firstKeptEntryId: (entry) => (entry.type === "compaction" ? entry.firstKeptEntryId : undefined),
};

/** Of a path: its latest compaction first, what that kept, and all after it. */
export function cutAtCompaction<Item>(path: Item[], look: EntryLook<Item>): Item[] {
  const at = path.findLastIndex(look.isCompaction);
  const compaction = path[at];
  if (compaction === undefined) return path;
  const keptId = look.firstKeptEntryId(compaction);
  const firstKept = path.findIndex((item) => look.id(item) === keptId);
  const kept = firstKept >= 0 && firstKept < at ? path.slice(firstKept, at) : [];
  return [compaction, ...kept.filter((item) => !look.isSystemMessage(item)), ...path.slice(at + 1)];
}

/** The last edit of each entry among these. */
export function latestEdits(entries: readonly SessionEntry[]): Map<string, ContextEditEntry> {
  const edits = new Map<string, ContextEditEntry>();
  for (const entry of entries) if (entry.type === "context_edit") edits.set(entry.targetId, entry);
  return edits;
}

/** What an edit makes of the messages of its target. */
export function applyEdit(messages: AgentMessage[], edit: ContextEditEntry | undefined): AgentMessage[] {
  if (!edit) return messages;
  if (edit.replacement === null) return [];
  const content = edit.replacement?.content;
  // An edit that says nothing edits nothing.
  if (typeof content !== "string" && !Array.isArray(content)) return messages;
  return messages.flatMap((message) => {
    const needsBlocks = message.role === "assistant" || message.role === "toolResult";
    if (!needsBlocks && message.role !== "user" && message.role !== "custom") return message;
    const blocks = typeof content === "string" && needsBlocks ? [{ type: "text", text: content }] : content;
    return repairedMessage({ ...message, content: blocks }, message.timestamp) ?? [];
  });
}

/**
 * Level and model that a path ends with. They come from the whole path: a compaction does not forget them.
 */
export function latestSettings(path: readonly SessionEntry[]): Pick<SessionContext, "thinkingLevel" | "model"> {
  return { thinkingLevel: latest(path, thinkingLevelOf) ?? "off", model: latest(path, modelOf) ?? null };
}

function latest<Value>(path: readonly SessionEntry[], read: (entry: SessionEntry) => Value | null): Value | null {
  for (let at = path.length - 1; at >= 0; at--) {
    const value = read(path[at] as SessionEntry);
    if (value !== null) return value;
  }
  return null;
}

/** The level that an entry sets. */
export function thinkingLevelOf(entry: SessionEntry): string | null {
  return entry.type === "thinking_level_change" && typeof entry.thinkingLevel === "string" ? entry.thinkingLevel : null;
}

/** The model that an entry names. */
export function modelOf(entry: SessionEntry): SessionContext["model"] {
  if (entry.type === "model_change") return modelNamed(entry.provider, entry.modelId);
  if (entry.type !== "message" || entry.message?.role !== "assistant") return null;
  return modelNamed(entry.message.provider, entry.message.model);
}

function modelNamed(provider: unknown, modelId: unknown): SessionContext["model"] {
  return typeof provider === "string" && typeof modelId === "string" ? { provider, modelId } : null;
}
