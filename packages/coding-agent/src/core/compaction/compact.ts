import type { AgentMessage, StreamFn, ThinkingLevel } from "@earendil-works/pi-agent-core";
import type { Model, RetryCallbacks, RetryPolicy, SimpleStreamOptions, Usage } from "@earendil-works/pi-ai";
import { fileBlocks, summaryDetails } from "./file-operations.js";
import { type SummarizeOptions, summarizeHistory, summarizeTurnPrefix } from "./summarize.js";
import { addUsage, type SummaryText } from "./summary-request.js";
import type { CompactionPreparation, CompactionResult, SummaryDetails } from "./types.js";

/**
 * Carries a planned compaction out: asks for the summaries and puts them together.
 * @throws SummaryError
 */
export async function runCompaction(
  preparation: CompactionPreparation,
  options: Omit<SummarizeOptions, "previousSummary">,
): Promise<CompactionResult<SummaryDetails>> {
  const { messagesToSummarize, turnPrefixMessages, isSplitTurn, previousSummary, fileOps } = preparation;
  const history =
    messagesToSummarize.length > 0
      ? await summarizeHistory(messagesToSummarize, { ...options, previousSummary })
      : undefined;
  const prefix =
    isSplitTurn && turnPrefixMessages.length > 0 ? await summarizeTurnPrefix(turnPrefixMessages, options) : undefined;
  const before = history?.text ?? previousSummary ?? "Nothing happened before this turn.";
  const text = prefix ? `${before}\n\n---\n\n# Beginning of the current turn\n\n${prefix.text}` : before;
  const details = summaryDetails(fileOps);
  const usage = totalUsage(history, prefix);
  return {
    summary: text + fileBlocks(details),
    firstKeptEntryId: preparation.firstKeptEntryId,
    tokensBefore: preparation.tokensBefore,
    ...(usage && { usage }),
    details,
  };
}

/** `runCompaction` by the names and places of the published function. */
export function compact(
  preparation: CompactionPreparation,
  model: Model,
  apiKey: string | undefined,
  headers?: SimpleStreamOptions["headers"],
  customInstructions?: string,
  signal?: AbortSignal,
  thinkingLevel?: ThinkingLevel,
  streamFn?: StreamFn,
  env?: Record<string, string>,
  retry?: RetryPolicy,
  callbacks?: RetryCallbacks,
  sessionId?: string,
): Promise<CompactionResult<SummaryDetails>> {
  const options = { model, apiKey, headers, signal, thinkingLevel, streamFn, env, retry, callbacks, sessionId };
  return runCompaction(preparation, { ...options, customInstructions });
}

/** A summary of messages with what it took. The reserved tokens are not looked at. */
export function generateSummaryWithUsage(
  messages: AgentMessage[],
  model: Model,
  _reserveTokens: number,
  apiKey: string | undefined,
  headers?: SimpleStreamOptions["headers"],
  signal?: AbortSignal,
  customInstructions?: string,
  previousSummary?: string,
  thinkingLevel?: ThinkingLevel,
  streamFn?: StreamFn,
  env?: Record<string, string>,
  retry?: RetryPolicy,
  callbacks?: RetryCallbacks,
  sessionId?: string,
): Promise<SummaryText> {
  const options = { model, apiKey, headers, signal, thinkingLevel, streamFn, env, retry, callbacks, sessionId };
  return summarizeHistory(messages, { ...options, customInstructions, previousSummary });
}

/** The text of `generateSummaryWithUsage`. */
export async function generateSummary(...args: Parameters<typeof generateSummaryWithUsage>): Promise<string> {
  return (await generateSummaryWithUsage(...args)).text;
}

function totalUsage(first: SummaryText | undefined, second: SummaryText | undefined): Usage | undefined {
  if (!first || !second) return (first ?? second)?.usage;
  return addUsage(first.usage, second.usage);
}
