/** Where a conversation is cut: what lies before is summarised, what lies after is kept. Pure. Source: sessions.md section 5. */
import type { AgentMessage } from "@earendil-works/pi-agent-core";
import { sessionEntryToContextMessages } from "../session-store/context.js";
import type { ProjectedSessionEntry, SessionEntry } from "../session-store/entries.js";
import { estimateTokens } from "./tokens.js";

export interface CutPointResult {
  /** The first entry that is kept. */
  firstKeptEntryIndex: number;
  /** Where the turn that is cut in two begins; -1 = no turn is. */
  turnStartIndex: number;
  isSplitTurn: boolean;
}

const CUT_ROLES = new Set(["user", "assistant", "bashExecution", "custom", "branchSummary", "compactionSummary"]);
const TURN_START_ROLES = new Set(["user", "bashExecution", "custom", "branchSummary", "compactionSummary"]);

/** The cut over entries as they are stored: edits are not looked at. `end` is exclusive. */
export function findCutPoint(
  entries: readonly SessionEntry[],
  start: number,
  end: number,
  keepRecentTokens: number,
): CutPointResult {
  const items = entries.map((sourceEntry) => ({
    sourceEntry,
    messages: sourceEntry.type === "compaction" ? [] : sessionEntryToContextMessages(sourceEntry),
  }));
  const { cut } = cutByBudget(items, start, end, keepRecentTokens);
  return splitAt(items, start, end, moveOverSilent(items, start, cut));
}

/** The entry that begins the turn of `index`, not before `start`; -1 when there is none. */
export function findTurnStartIndex(entries: readonly SessionEntry[], index: number, start: number): number {
  for (let at = index; at >= start; at--) {
    const entry = entries[at];
    if (entry && entry.type !== "compaction" && beginsTurn(sessionEntryToContextMessages(entry))) return at;
  }
  return -1;
}

/**
 * The cut over the context of a session, whose failed attempts are hidden by edits.
 * @param mostKept a message so long that with it more than so many tokens would be kept is not kept
 */
export function findProjectedCutPoint(
  items: readonly ProjectedSessionEntry[],
  start: number,
  keepRecentTokens: number,
  mostKept = Number.POSITIVE_INFINITY,
): CutPointResult {
  const { cut, isReached } = cutByBudget(items, start, items.length, keepRecentTokens);
  const fitting = isReached ? cutThatFits(items, cut, mostKept) : cut;
  const isUseless = isReached && fitting === cut && isOnlyFailedAttempts(items, cut + 1);
  const moved = isUseless ? cut + 1 : fitting;
  return splitAt(items, start, items.length, moveOverSilent(items, start, moved));
}

/** The first cut point from `cut` on behind which little enough is left; `cut` when there is none. */
function cutThatFits(items: readonly ProjectedSessionEntry[], cut: number, mostKept: number): number {
  let kept = items.slice(cut).reduce((sum, item) => sum + tokensOf(item), 0);
  for (let at = cut; at < items.length; at++) {
    if (kept <= mostKept && isCutPoint(items[at])) return at;
    kept -= tokensOf(items[at]);
  }
  return cut;
}

/** Walks back from the end until enough is kept. */
function cutByBudget(
  items: readonly ProjectedSessionEntry[],
  start: number,
  end: number,
  keepRecentTokens: number,
): { cut: number; isReached: boolean } {
  const cutPoints: number[] = [];
  for (let at = start; at < end; at++) if (isCutPoint(items[at])) cutPoints.push(at);
  const last = cutPoints.at(-1);
  if (last === undefined) return { cut: start, isReached: false };
  let kept = 0;
  for (let at = end - 1; at >= start; at--) {
    kept += tokensOf(items[at]);
    if (kept >= keepRecentTokens) return { cut: cutPoints.find((point) => point >= at) ?? last, isReached: true };
  }
  return { cut: cutPoints[0] ?? start, isReached: false };
}

/**
 * True when nothing after the cut is left but bookkeeping and failed answers that were hidden: the message at the cut
 * is then what did not fit, and keeping it would fail again.
 */
function isOnlyFailedAttempts(items: readonly ProjectedSessionEntry[], from: number): boolean {
  const rest = items.slice(from);
  const hidden = new Set<string>();
  for (const { sourceEntry, messages } of rest) {
    if (messages.length > 0) return false;
    if (sourceEntry.type === "message" && sourceEntry.message?.role === "assistant") hidden.add(sourceEntry.id);
  }
  const replacesOther = rest.some(
    ({ sourceEntry }) =>
      sourceEntry.type === "context_edit" && sourceEntry.replacement !== null && !hidden.has(sourceEntry.targetId),
  );
  return hidden.size > 0 && !replacesOther;
}

/** Bookkeeping before the cut belongs to what is kept. */
function moveOverSilent(items: readonly ProjectedSessionEntry[], start: number, cut: number): number {
  let at = cut;
  while (at > start) {
    const before = items[at - 1];
    if (!before || before.messages.length > 0 || before.sourceEntry.type === "compaction") break;
    at--;
  }
  return at;
}

function splitAt(items: readonly ProjectedSessionEntry[], start: number, end: number, cut: number): CutPointResult {
  const whole: CutPointResult = { firstKeptEntryIndex: cut, turnStartIndex: -1, isSplitTurn: false };
  let firstKept = cut;
  while (firstKept < end && items[firstKept]?.messages.length === 0) firstKept++;
  if (firstKept < end && beginsTurn(items[firstKept]?.messages ?? [])) return whole;
  for (let at = cut - 1; at >= start; at--) {
    if (beginsTurn(items[at]?.messages ?? [])) return { ...whole, turnStartIndex: at, isSplitTurn: true };
  }
  return whole;
}

function isCutPoint(item: ProjectedSessionEntry | undefined): boolean {
  if (!item || item.sourceEntry.type === "compaction") return false;
  return item.messages.some((message) => CUT_ROLES.has(message.role));
}

function beginsTurn(messages: readonly AgentMessage[]): boolean {
  return messages.some((message) => TURN_START_ROLES.has(message.role));
}

/** The system prompt is there anyway: it does not count as kept. */
function tokensOf(item: ProjectedSessionEntry | undefined): number {
  const messages = item?.messages.filter((message) => message.role !== "system") ?? [];
  return messages.reduce((sum, message) => sum + estimateTokens(message), 0);
}
