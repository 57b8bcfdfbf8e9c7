import type { AssistantMessage } from "../types.js";
import { quotaPatterns, retryablePatterns } from "./patterns.js";

/**
 * True when the same request may succeed a little later: overload, rate limits, server and network failures.
 * Exhausted quotas never are. Test for an overflow first: it is never retried. Source: llm.md section 10.
 */
export function isRetryableAssistantError(message: AssistantMessage): boolean {
  const text = message.errorMessage;
  if (message.stopReason !== "error" || !text) return false;
  // fetch blocks some ports, and says no more than that.
  if (text.endsWith(": bad port")) return false;
  if (quotaPatterns().some((pattern) => pattern.test(text))) return false;
  return retryablePatterns().some((pattern) => pattern.test(text));
}
