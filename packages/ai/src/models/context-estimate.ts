import { getSystemMessageText } from "../text/system-message-text.js";
import type { AssistantMessage, Message, Model } from "../types.js";

const CHARS_PER_TOKEN = 3.5;
/** What an image counts, in characters. */
const IMAGE_CHARS = 4800;
/** Room kept free for what the estimate misses: at least this many tokens, or this part of the estimate. */
const MIN_RESERVE = 4096;
const RESERVE_SHARE = 0.15;
/** Below this room the reserve shrinks to its minimum, so that long answers stay possible. */
const COMFORTABLE_ROOM = 32_768;

/**
 * Tokens a transcript takes: the total of the last answer whose figures can be trusted, plus a guess for what came
 * after it. Source: llm.md section 4.
 */
export function estimateContextTokens(messages: readonly Message[]): number {
  let counted = 0;
  let chars = 0;
  let newest = Number.NEGATIVE_INFINITY;
  for (const message of messages) {
    chars += messageChars(message);
    if (message.role === "assistant" && isUsable(message) && message.timestamp >= newest) {
      counted = message.usage.totalTokens;
      chars = 0;
    }
    newest = Math.max(newest, message.timestamp);
  }
  return counted + Math.ceil(chars / CHARS_PER_TOKEN);
}

/** The output limit of a request in tokens: what is wanted, as far as the context window leaves room; at least 1. */
export function clampToContext(
  model: Pick<Model, "contextWindow">,
  messages: readonly Message[],
  maxTokens: number,
): number {
  if (model.contextWindow <= 0) return maxTokens;
  const estimate = estimateContextTokens(messages);
  let room = model.contextWindow - estimate - Math.max(MIN_RESERVE, Math.ceil(RESERVE_SHARE * estimate));
  if (room < COMFORTABLE_ROOM) room = Math.min(COMFORTABLE_ROOM, model.contextWindow - estimate - MIN_RESERVE);
  return Math.min(maxTokens, Math.max(1, room));
}

function isUsable(message: AssistantMessage): boolean {
  return message.stopReason !== "aborted" && message.stopReason !== "error" && message.usage.totalTokens > 0;
}

function messageChars(message: Message): number {
  switch (message.role) {
    case "system": {
      const tools = message.toolsAdded ? JSON.stringify(message.toolsAdded).length : 0;
      return getSystemMessageText(message).length + tools;
    }
    case "user":
    case "toolResult":
      return typeof message.content === "string" ? message.content.length : contentChars(message.content);
    case "assistant":
      return contentChars(message.content);
  }
}

function contentChars(content: readonly Exclude<Message["content"], string>[number][]): number {
  let chars = 0;
  for (const block of content ?? []) {
    if (block.type === "text") chars += block.text.length;
    else if (block.type === "thinking") chars += block.thinking.length;
    else if (block.type === "image") chars += IMAGE_CHARS;
    else chars += block.name.length + JSON.stringify(block.arguments).length;
  }
  return chars;
}
