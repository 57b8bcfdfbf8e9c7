import type { AgentMessage } from "@earendil-works/pi-agent-core";
import type { Model } from "@earendil-works/pi-ai";
import {
  FIRST_SUMMARY_INSTRUCTIONS,
  focusLine,
  TURN_PREFIX_INSTRUCTIONS,
  UPDATE_SUMMARY_INSTRUCTIONS,
} from "./prompts.js";
import { conversationBlocks } from "./serialize.js";
import { BLOCK_BREAK, shortenedText, wholeCharacters } from "./shorten.js";
import {
  addUsage,
  requestSummary,
  SummaryError,
  type SummaryRequestOptions,
  type SummaryText,
} from "./summary-request.js";

/** Requests that one summary may take. */
const MAX_REQUESTS = 8;
/** Fewer than usual: prompt and answer take their part of the window. */
const CAUTIOUS_CHARS_PER_TOKEN = 3;

export interface SummarizeOptions extends SummaryRequestOptions {
  customInstructions?: string | undefined;
  previousSummary?: string | undefined;
}

/**
 * Summarises messages, on top of an earlier summary if there is one. When they do not fit into one request, a
 * part is summarised and the rest is added to that.
 * @throws SummaryError
 */
export function summarizeHistory(messages: readonly AgentMessage[], options: SummarizeOptions): Promise<SummaryText> {
  const focus = focusLine(options.customInstructions);
  return summarizeInParts("Summarization", messages, options, (text, previous) =>
    previous === undefined
      ? `${conversation(text)}\n\n${FIRST_SUMMARY_INSTRUCTIONS}${focus}`
      : `${conversation(text)}\n\n${previousSummary(previous)}\n\n${UPDATE_SUMMARY_INSTRUCTIONS}${focus}`,
  );
}

/** Summarises the beginning of a turn whose end is kept. */
export function summarizeTurnPrefix(
  messages: readonly AgentMessage[],
  options: SummarizeOptions,
): Promise<SummaryText> {
  const focus = focusLine(options.customInstructions);
  return summarizeInParts(
    "Turn prefix summarization",
    messages,
    { ...options, previousSummary: undefined },
    (text, previous) => {
      const before = previous === undefined ? "" : `\n\n${previousSummary(previous)}`;
      return `${conversation(text)}${before}\n\n${TURN_PREFIX_INSTRUCTIONS}${focus}`;
    },
  );
}

/** What an earlier request came to, in a summary request. */
export function previousSummary(text: string): string {
  return `<previous-summary>\n${text}\n</previous-summary>`;
}

/** The conversation of a summary request. */
export function conversation(text: string): string {
  return `<conversation>\n${text}\n</conversation>`;
}

/**
 * Asks for the summary of messages, in as few requests as they fit into, each on top of the summary before. What is too
 * long for the fixed number of requests is shortened, and the summary says so.
 *
 * @param prompt of a part of the conversation and the summary before it
 * @throws SummaryError, also when not even a part fits
 */
export async function summarizeInParts(
  what: string,
  messages: readonly AgentMessage[],
  options: SummarizeOptions,
  prompt: (text: string, previous: string | undefined) => string,
): Promise<SummaryText> {
  let blocks = conversationBlocks(messages);
  let text = blocks.join(BLOCK_BREAK);
  let share = text.length;
  let omitted = 0;
  let summary: SummaryText | undefined;
  for (let request = 1; ; request++) {
    const part = text.slice(0, wholeCharacters(text, share));
    try {
      const answer = await requestSummary(prompt(part, summary?.text ?? options.previousSummary), what, options);
      summary = { text: answer.text, usage: summary ? addUsage(summary.usage, answer.usage) : answer.usage };
    } catch (error) {
      const isOverflow = error instanceof SummaryError && error.code === "overflow";
      if (!isOverflow || request >= MAX_REQUESTS || share < 4) throw error;
      share = smallerShare(share, options.model);
      // One of the requests that are left may be too long as well.
      const requestsLeft = Math.max(1, MAX_REQUESTS - request - 1);
      const shortened = shortenedText(blocks, (share - 1) * requestsLeft);
      text = shortened.text;
      omitted += shortened.omitted;
      if (shortened.omitted > 0) blocks = [text];
      continue;
    }
    text = text.slice(part.length);
    blocks = [text];
    if (text === "") return omitted > 0 ? { ...summary, text: summary.text + omittedNote(omitted) } : summary;
  }
}

/** Less than what did not fit: as much as the window holds by a cautious estimate, and no more than half. */
function smallerShare(share: number, { contextWindow, maxTokens }: Model): number {
  if (!(contextWindow > 0)) return Math.ceil(share / 4);
  const tokens = Math.max(contextWindow / 2, contextWindow - maxTokens);
  return Math.min(Math.ceil(share / 2), Math.max(2, Math.floor(tokens * CAUTIOUS_CHARS_PER_TOKEN)));
}

function omittedNote(omitted: number): string {
  return `\n\n(${omitted} characters of the conversation were too long to be summarised and are left out.)`;
}
