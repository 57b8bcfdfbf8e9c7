import type { AgentMessage } from "@earendil-works/pi-agent-core";
import type { AssistantMessage } from "@earendil-works/pi-ai";
import { tokenText } from "../footer/token-text.js";

/** Less is within what providers round to blocks, or too little to be worth a word. */
const WORTH_TELLING = 1024;

/**
 * What to say of an answer whose request should have been read from the provider's prompt cache and was not; undefined when
 * there is nothing to say.
 *
 * @param messages the conversation, with or without the answer
 */
export function cacheMissText(answer: AssistantMessage, messages: readonly AgentMessage[]): string | undefined {
  if (promptTokens(answer) === 0) return undefined;
  const before = answerBefore(answer, messages);
  if (!before) return undefined;
  const cached = before.usage.cacheRead + before.usage.cacheWrite;
  const missed = cached - answer.usage.cacheRead;
  if (missed < WORTH_TELLING || answer.usage.cacheRead > cached / 2) return undefined;
  const minutes = Math.round((answer.timestamp - before.timestamp) / 60_000);
  const pause = minutes < 1 ? "" : `, ${minutes} min after the last request`;
  return `Cache miss: ${tokenText(missed)} of ${tokenText(cached)} cached tokens were sent anew${pause}`;
}

/**
 * The answer whose request filled the cache that this one could read. None after another model, or after a summary: then
 * nothing that is cached could be used.
 */
function answerBefore(answer: AssistantMessage, messages: readonly AgentMessage[]): AssistantMessage | undefined {
  const before = messages.findLast(
    (message): message is AssistantMessage =>
      message.role === "assistant" && message.timestamp < answer.timestamp && promptTokens(message) > 0,
  );
  if (before?.provider !== answer.provider || before.model !== answer.model) return undefined;
  const isSummarized = messages.some(
    ({ role, timestamp }) => role === "compactionSummary" && timestamp > before.timestamp,
  );
  return isSummarized ? undefined : before;
}

function promptTokens({ usage }: AssistantMessage): number {
  return usage.input + usage.cacheRead + usage.cacheWrite;
}
