import { delay } from "../delay.js";
import type { AssistantMessage } from "../types.js";
import { isContextOverflow } from "./overflow.js";
import { isRetryableAssistantError } from "./retryable.js";

/** Longest pause between two attempts of an agent, in ms. */
export const DEFAULT_MAX_AGENT_RETRY_DELAY_MS = 60_000;

/** When and how often a failed answer is asked for again. */
export interface RetryPolicy {
  enabled: boolean;
  /** Attempts after the first. */
  maxRetries: number;
  /** Pause before the first retry, in ms; each further one is twice as long. */
  baseDelayMs: number;
  /** Longest pause in ms. Default 60000. */
  maxAgentDelayMs?: number;
}

/** What the caller of a retried request is told. Promises are awaited. */
export interface RetryCallbacks {
  /** Before the pause. `attempt` counts from 1. */
  onRetryScheduled?: (
    attempt: number,
    maxAttempts: number,
    delayMs: number,
    errorMessage: string,
  ) => void | Promise<void>;
  /** After the pause. */
  onRetryAttemptStart?: () => void | Promise<void>;
  /** Once, if there was a retry. */
  onRetryFinished?: (success: boolean, attempt: number, finalError?: string) => void | Promise<void>;
}

/** Pause before retry number `attempt` (from 1), in ms: doubling from the base, up to the maximum; no jitter. */
export function retryDelayMs(policy: Pick<RetryPolicy, "baseDelayMs" | "maxAgentDelayMs">, attempt: number): number {
  const longest = policy.maxAgentDelayMs ?? DEFAULT_MAX_AGENT_RETRY_DELAY_MS;
  return Math.min(policy.baseDelayMs * 2 ** (attempt - 1), longest);
}

/**
 * Asks for an answer again as long as the failure is worth it. Resolves with the last answer, failed or not; an abort
 * during a pause ends the retries with the failed answer.
 */
export async function retryAssistantCall(
  produce: () => Promise<AssistantMessage>,
  policy: RetryPolicy | undefined,
  signal: AbortSignal | undefined,
  callbacks: RetryCallbacks = {},
): Promise<AssistantMessage> {
  let message = await produce();
  if (!policy?.enabled) return message;
  let attempt = 0;
  while (attempt < policy.maxRetries && !signal?.aborted && isWorthRetrying(message)) {
    attempt++;
    const delayMs = retryDelayMs(policy, attempt);
    await callbacks.onRetryScheduled?.(attempt, policy.maxRetries, delayMs, message.errorMessage ?? "");
    await delay(delayMs, signal);
    if (signal?.aborted) {
      await callbacks.onRetryFinished?.(false, attempt, "Retry cancelled");
      return message;
    }
    await callbacks.onRetryAttemptStart?.();
    message = await produce();
  }
  if (attempt > 0) {
    const failed = message.stopReason === "error" || message.stopReason === "aborted";
    await callbacks.onRetryFinished?.(!failed, attempt, failed ? message.errorMessage : undefined);
  }
  return message;
}

function isWorthRetrying(message: AssistantMessage): boolean {
  return isRetryableAssistantError(message) && !isContextOverflow(message);
}
