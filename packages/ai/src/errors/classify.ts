import type { AssistantMessage } from "../types.js";
import { isContextOverflow } from "./overflow.js";
import { authenticationPatterns, quotaPatterns, usageLimitPatterns } from "./patterns.js";
import { isRetryableAssistantError } from "./retryable.js";

/**
 * What a failed answer calls for: asking again (`retryable`), a shorter conversation (`overflow`), another account or
 * more credit (`quota`), signing in (`authentication`), or nothing that would help (`final`).
 */
export type AssistantErrorKind = "retryable" | "overflow" | "quota" | "authentication" | "final";

/**
 * The kind of a failed answer; undefined for one that did not fail. Agrees with `isContextOverflow` and
 * `isRetryableAssistantError`, in that order. Overflows that only usage shows need `contextWindow` (tokens).
 */
export function classifyAssistantError(
  message: AssistantMessage,
  contextWindow?: number,
): AssistantErrorKind | undefined {
  if (isContextOverflow(message, contextWindow)) return "overflow";
  if (message.stopReason !== "error") return undefined;
  if (isRetryableAssistantError(message)) return "retryable";
  const text = message.errorMessage ?? "";
  const matches = (patterns: readonly RegExp[]): boolean => patterns.some((pattern) => pattern.test(text));
  if (matches(quotaPatterns()) || matches(usageLimitPatterns())) return "quota";
  return matches(authenticationPatterns()) ? "authentication" : "final";
}

const ADVICE: Readonly<Record<AssistantErrorKind, string>> = {
  retryable: "a temporary failure. Try again in a moment, or choose another model.",
  overflow: "the conversation is longer than the model can take. Compact it, or start a new one.",
  quota:
    "the account has used up what it may. Wait until its limit is renewed, add credit, or choose another provider.",
  authentication: "the provider did not accept the sign-in. Check the API key, or sign in again.",
  final: "asking again will not help. What to change is said above; another model may do.",
};

/**
 * What people are told about a failed answer: the provider's words, then who failed, with which status, and what to do.
 * Undefined for an answer that did not fail.
 */
export function describeAssistantError(message: AssistantMessage, contextWindow?: number): string | undefined {
  const kind = classifyAssistantError(message, contextWindow);
  if (kind === undefined) return undefined;
  const status = errorStatus(message.errorMessage ?? "");
  const who = `${message.provider}/${message.model}${status === undefined ? "" : ` (status ${status})`}`;
  const words = message.errorMessage ? `${message.errorMessage}\n` : "";
  return `${words}${who}: ${requestedWait(message.errorMessage ?? "") ?? ADVICE[kind]}`;
}

/** The advice where the server asked for a longer wait than was accepted. */
function requestedWait(text: string): string | undefined {
  const seconds = /^Server requested (\d+)s retry delay/.exec(text)?.[1];
  if (seconds === undefined) return undefined;
  return `the provider wants to be left alone for ${duration(Number(seconds))}. Try again then, or choose another model.`;
}

function duration(seconds: number): string {
  const [amount, unit] =
    seconds < 120 ? [seconds, "seconds"] : seconds < 7200 ? [seconds / 60, "minutes"] : [seconds / 3600, "hours"];
  return `${Math.ceil(amount)} ${unit}`;
}

/** The HTTP status an error text names where this layer puts it, or where Google does. */
function errorStatus(text: string): string | undefined {
  const match =
    /^(\d{3})(?=[\s:]|$)|API error \((\d{3})\)|\(status (\d{3})\)|^\s*\{\s*"error":\s*\{\s*"code":\s*(\d{3})/.exec(
      text,
    );
  return match?.slice(1).find((group) => group !== undefined);
}
