import type { AgentMessage } from "@earendil-works/pi-agent-core";
import {
  FIRST_SUMMARY_INSTRUCTIONS,
  focusLine,
  TURN_PREFIX_INSTRUCTIONS,
  UPDATE_SUMMARY_INSTRUCTIONS,
} from "./prompts.js";
import { conversationText } from "./serialize.js";
import {
  addUsage,
  requestSummary,
  SummaryError,
  type SummaryRequestOptions,
  type SummaryText,
} from "./summary-request.js";

/** Requests that one summary may take: a conversation that is too long for one is halved. */
const MAX_REQUESTS = 8;

export interface SummarizeOptions extends SummaryRequestOptions {
  customInstructions?: string | undefined;
  previousSummary?: string | undefined;
}

/**
 * Summarises messages, on top of an earlier summary if there is one. When they do not fit into one request, the first
 * half is summarised and the rest is added to that.
 * @throws SummaryError, also when the fixed number of requests is used up
 */
export function summarizeHistory(messages: readonly AgentMessage[], options: SummarizeOptions): Promise<SummaryText> {
  const focus = focusLine(options.customInstructions);
  return inParts("Summarization", messages, options, (text, previous) =>
    previous === undefined
      ? `${conversation(text)}\n\n${FIRST_SUMMARY_INSTRUCTIONS}${focus}`
      : `${conversation(text)}\n\n<previous-summary>\n${previous}\n</previous-summary>\n\n${UPDATE_SUMMARY_INSTRUCTIONS}${focus}`,
  );
}

/** Summarises the beginning of a turn whose end is kept. */
export function summarizeTurnPrefix(
  messages: readonly AgentMessage[],
  options: SummarizeOptions,
): Promise<SummaryText> {
  const focus = focusLine(options.customInstructions);
  return inParts(
    "Turn prefix summarization",
    messages,
    { ...options, previousSummary: undefined },
    (text, previous) => {
      const before = previous === undefined ? "" : `\n\n<previous-summary>\n${previous}\n</previous-summary>`;
      return `${conversation(text)}${before}\n\n${TURN_PREFIX_INSTRUCTIONS}${focus}`;
    },
  );
}

/** The conversation of a summary request. */
export function conversation(text: string): string {
  return `<conversation>\n${text}\n</conversation>`;
}

async function inParts(
  what: string,
  messages: readonly AgentMessage[],
  options: SummarizeOptions,
  prompt: (text: string, previous: string | undefined) => string,
): Promise<SummaryText> {
  let text = conversationText(messages);
  let share = text.length;
  let summary: SummaryText | undefined;
  let previous = options.previousSummary;
  for (let request = 1; ; request++) {
    const part = text.slice(0, wholeCharacters(text, share));
    try {
      const answer = await requestSummary(prompt(part, previous), what, options);
      summary = { text: answer.text, usage: summary ? addUsage(summary.usage, answer.usage) : answer.usage };
    } catch (error) {
      if (!(error instanceof SummaryError) || error.code !== "overflow" || request >= MAX_REQUESTS || share < 2) {
        throw error;
      }
      share = Math.ceil(share / 2);
      continue;
    }
    text = text.slice(part.length);
    if (text === "") return summary;
    if (request >= MAX_REQUESTS) {
      throw new SummaryError(
        "overflow",
        `${what} failed: the conversation is too long even in ${MAX_REQUESTS} requests`,
      );
    }
    previous = summary.text;
  }
}

/** A cut that does not split a surrogate pair. */
function wholeCharacters(text: string, length: number): number {
  const code = text.charCodeAt(length - 1);
  return length < text.length && code >= 0xd800 && code <= 0xdbff && length > 1 ? length - 1 : length;
}
