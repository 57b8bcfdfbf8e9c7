import type { AssistantMessage } from "../types.js";
import { cerebrasOverflowPatterns, overflowExclusions, overflowPatterns } from "./patterns.js";

/** From this part of the context window on, an answer cut off before its first token counts as an overflow. */
const FULL_CONTEXT = 0.99;

/** The patterns by which an overflow is recognised in an error text. */
export function getOverflowPatterns(): RegExp[] {
  return [...overflowPatterns()];
}

/**
 * True when the answer shows that the conversation does not fit into the model's context: by the error text; by more
 * input than `contextWindow` although the request succeeded; or by a full context that left no room for a token.
 * The last two need `contextWindow` (tokens). Source: llm.md section 10.
 */
export function isContextOverflow(message: AssistantMessage, contextWindow?: number): boolean {
  if (message.stopReason === "error") return isOverflowText(message.errorMessage ?? "", message.provider);
  if (!contextWindow || contextWindow <= 0) return false;
  const input = message.usage.input + message.usage.cacheRead;
  if (message.stopReason === "stop") return input > contextWindow;
  return message.stopReason === "length" && message.usage.output === 0 && input >= FULL_CONTEXT * contextWindow;
}

/** True for an answer that was cut off before it used the output it was allowed: worth one retry after compaction. */
export function isRecoverableLength(message: AssistantMessage, desiredMaxOutput: number): boolean {
  return message.stopReason === "length" && desiredMaxOutput > 0 && message.usage.output < desiredMaxOutput;
}

function isOverflowText(text: string, provider: string): boolean {
  if (overflowExclusions().some((pattern) => pattern.test(text))) return false;
  if (overflowPatterns().some((pattern) => pattern.test(text))) return true;
  return provider === "cerebras" && cerebrasOverflowPatterns().some((pattern) => pattern.test(text));
}
