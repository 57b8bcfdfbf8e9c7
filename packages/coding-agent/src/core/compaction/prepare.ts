import type { AgentMessage } from "@earendil-works/pi-agent-core";
import { buildSessionProjection } from "../session-store/context.js";
import type { ProjectedSessionEntry, SessionEntry } from "../session-store/entries.js";
import { findProjectedCutPoint } from "./cut-point.js";
import { addFileOperations, addSummaryDetails, newFileOperations } from "./file-operations.js";
import { estimateTokens, usageOf } from "./tokens.js";
import type { CompactionPreparation, EffectiveCompactionSettings } from "./types.js";

/** Why there is nothing to summarise. */
export class NothingToCompactError extends Error {
  override name = "NothingToCompactError";
}

/** What is known about the room for what is kept. */
export interface KeptLimit {
  /** More tokens than these cannot be kept. Default: any. */
  mostKept?: number | undefined;
  /** The context did not fit: to keep all of it would be no help. */
  isTooLong?: boolean | undefined;
}

/**
 * Plans a compaction of a branch: what is summarised, what is kept. Pure. Source: sessions.md section 5, "Preparation".
 *
 * @param branch from the root to the leaf
 * @throws NothingToCompactError
 */
export function prepareCompaction(
  branch: readonly SessionEntry[],
  settings: EffectiveCompactionSettings,
  { mostKept, isTooLong = false }: KeptLimit = {},
): CompactionPreparation {
  if (branch.at(-1)?.type === "compaction") throw new NothingToCompactError("Already compacted");
  const { entries } = buildSessionProjection(branch);
  const previous = entries[0]?.sourceEntry;
  const start = previous?.type === "compaction" ? 1 : 0;
  const cutKeeping = (most: number | undefined) =>
    findProjectedCutPoint(entries, start, settings.keepRecentTokens, most);
  let plan = cutKeeping(mostKept);
  // All that is left is what does not fit: a first message so long that the budget ends with it.
  if (isTooLong && !spoken(entries.slice(start, plan.firstKeptEntryIndex)).length) {
    plan = cutKeeping(settings.keepRecentTokens);
  }
  const { firstKeptEntryIndex, turnStartIndex, isSplitTurn } = plan;
  const historyEnd = isSplitTurn ? turnStartIndex : firstKeptEntryIndex;
  const messagesToSummarize = spoken(entries.slice(start, historyEnd));
  const turnPrefixMessages = isSplitTurn ? spoken(entries.slice(turnStartIndex, firstKeptEntryIndex)) : [];
  const firstKept = entries[firstKeptEntryIndex];
  if (!firstKept || (messagesToSummarize.length === 0 && turnPrefixMessages.length === 0)) {
    throw new NothingToCompactError("Nothing to compact (session too small)");
  }
  const fileOps = newFileOperations();
  if (previous?.type === "compaction" && !previous.fromHook) addSummaryDetails(fileOps, previous.details);
  addFileOperations(fileOps, messagesToSummarize);
  addFileOperations(fileOps, turnPrefixMessages);
  return {
    firstKeptEntryId: firstKept.sourceEntry.id,
    messagesToSummarize,
    turnPrefixMessages,
    isSplitTurn,
    tokensBefore: projectedTokens(entries),
    ...(previous?.type === "compaction" && { previousSummary: previous.summary }),
    fileOps,
    settings,
  };
}

/**
 * The size of a context: as its last answer told it, unless the context was edited or summarised since; else estimated.
 */
export function projectedTokens(entries: readonly ProjectedSessionEntry[]): number {
  let trailing = 0;
  for (const { sourceEntry, messages } of [...entries].reverse()) {
    if (sourceEntry.type === "compaction" || sourceEntry.type === "context_edit") break;
    const told = messages.findLast((message) => usageOf(message) > 0);
    if (told) return usageOf(told) + trailing;
    trailing += estimateAll(messages);
  }
  return estimateAll(entries.flatMap(({ messages }) => messages));
}

function estimateAll(messages: readonly AgentMessage[]): number {
  return messages.reduce((sum, message) => sum + estimateTokens(message), 0);
}

/** The system prompt is never summarised. */
function spoken(entries: readonly ProjectedSessionEntry[]): AgentMessage[] {
  return entries.flatMap(({ messages }) => messages.filter((message) => message.role !== "system"));
}
