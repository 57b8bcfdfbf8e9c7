/** Summaries of branches that are left. Source: sessions.md section 6. */
import type { AgentMessage } from "@earendil-works/pi-agent-core";
import type { ReadonlySessionManager } from "../extensions/types/context.js";
import { applyEdit, sessionEntryToContextMessages } from "../session-store/context.js";
import type { ContextEditEntry, SessionEntry } from "../session-store/entries.js";
import {
  addFileOperations,
  addSummaryDetails,
  fileBlocks,
  newFileOperations,
  summaryDetails,
} from "./file-operations.js";
import { BRANCH_SUMMARY_INSTRUCTIONS, focusLine } from "./prompts.js";
import { conversation, previousSummary, summarizeInParts } from "./summarize.js";
import { SummaryError, type SummaryRequestOptions } from "./summary-request.js";
import { estimateTokens } from "./tokens.js";
import type { BranchPreparation, BranchSummaryResult } from "./types.js";

const DEFAULT_WINDOW = 128_000;
const DEFAULT_RESERVE = 16_384;

export interface CollectEntriesResult {
  /** What is left, oldest first. */
  entries: SessionEntry[];
  /** The deepest entry on both paths. */
  commonAncestorId: string | null;
}

/** The entries between the old leaf and the common ancestor with the target, across compactions. */
export function collectEntriesForBranchSummary(
  sessionManager: Pick<ReadonlySessionManager, "getBranch">,
  oldLeafId: string | null,
  targetId: string,
): CollectEntriesResult {
  if (oldLeafId === null) return { entries: [], commonAncestorId: null };
  const onTargetPath = new Set(sessionManager.getBranch(targetId).map(({ id }) => id));
  const oldPath = sessionManager.getBranch(oldLeafId);
  const at = oldPath.findLastIndex(({ id }) => onTargetPath.has(id));
  return { entries: oldPath.slice(at + 1), commonAncestorId: oldPath[at]?.id ?? null };
}

/**
 * What of the entries fits into `budget` tokens, newest first. A summary that does not fit is still taken while less
 * than 90 % is used.
 */
export function prepareBranchEntries(
  entries: readonly SessionEntry[],
  budget = Number.POSITIVE_INFINITY,
): BranchPreparation {
  const edits = new Map<string, ContextEditEntry>();
  for (const entry of entries) if (entry.type === "context_edit") edits.set(entry.targetId, entry);
  const fileOps = newFileOperations();
  for (const entry of entries) {
    if (entry.type === "branch_summary" && !entry.fromHook) addSummaryDetails(fileOps, entry.details);
  }
  const taken: AgentMessage[][] = [];
  let totalTokens = 0;
  for (const entry of [...entries].reverse()) {
    const messages = applyEdit(branchMessages(entry), edits.get(entry.id));
    if (messages.length === 0) continue;
    addFileOperations(fileOps, messages);
    const tokens = messages.reduce((sum, message) => sum + estimateTokens(message), 0);
    const isOver = totalTokens + tokens > budget;
    const isSummary = entry.type === "compaction" || entry.type === "branch_summary";
    if (isOver && !(isSummary && totalTokens < budget * 0.9)) break;
    taken.push(messages);
    totalTokens += tokens;
    if (isOver) break;
  }
  return { messages: taken.reverse().flat(), fileOps, totalTokens };
}

export interface GenerateBranchSummaryOptions extends SummaryRequestOptions {
  signal: AbortSignal;
  customInstructions?: string | undefined;
  /** The custom instructions stand alone. */
  replaceInstructions?: boolean | undefined;
  /** Default 16384. */
  reserveTokens?: number | undefined;
}

/** Asks for the summary of a branch. An abort and a failure are results. */
export async function generateBranchSummary(
  entries: readonly SessionEntry[],
  options: GenerateBranchSummaryOptions,
): Promise<BranchSummaryResult> {
  const window = options.model.contextWindow || DEFAULT_WINDOW;
  // A small window must not be all reserve.
  const budget = Math.max(window - (options.reserveTokens ?? DEFAULT_RESERVE), window / 2);
  const { messages, fileOps } = prepareBranchEntries(entries, budget);
  if (messages.length === 0) return { summary: "No content to summarize" };
  const { customInstructions, replaceInstructions } = options;
  const instructions =
    replaceInstructions && customInstructions
      ? customInstructions
      : BRANCH_SUMMARY_INSTRUCTIONS + focusLine(customInstructions);
  try {
    const { text, usage } = await summarizeInParts("Branch summarization", messages, options, (part, previous) =>
      [conversation(part), ...(previous === undefined ? [] : [previousSummary(previous)]), instructions].join("\n\n"),
    );
    const details = summaryDetails(fileOps);
    return {
      summary: `Another branch of this conversation was explored. What it came to:\n\n${text}${fileBlocks(details)}`,
      usage,
      ...details,
    };
  } catch (error) {
    if (!(error instanceof SummaryError)) throw error;
    return error.code === "aborted" ? { aborted: true } : { error: error.message };
  }
}

function branchMessages(entry: SessionEntry): AgentMessage[] {
  const messages = sessionEntryToContextMessages(entry);
  return messages.filter((message) => message.role !== "toolResult" && message.role !== "system");
}
