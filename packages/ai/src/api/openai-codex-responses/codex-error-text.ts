import type { HttpStatusError } from "../../http.js";
import { isObject } from "../../json/objects.js";
import { openAIErrorText } from "../openai-error-text.js";

const LIMIT_CODES: ReadonlySet<unknown> = new Set(["usage_limit_reached", "usage_not_included", "rate_limit_exceeded"]);

/** The text of a refused request. Source: llm-wire.md sections 5 and 13. */
export function codexErrorText(error: HttpStatusError, now: number): string {
  const detail = errorDetail(error.body);
  if (error.status === 429 || isLimit(detail)) return limitText(detail, now);
  return openAIErrorText(error, "OpenAI Codex API error");
}

/** True for a limit that lasts longer than any wait between two attempts. */
export function isUsageLimit(error: HttpStatusError): boolean {
  return isLimit(errorDetail(error.body));
}

/** The text of an error that came in the stream, when it means a limit. */
export function streamedLimitText(detail: Record<string, unknown>, now: number): string | undefined {
  return isLimit(detail) ? limitText(detail, now) : undefined;
}

function isLimit(detail: Record<string, unknown>): boolean {
  return LIMIT_CODES.has(detail["code"]) || LIMIT_CODES.has(detail["type"]);
}

function limitText(detail: Record<string, unknown>, now: number): string {
  const plan = detail["plan_type"];
  const ofPlan = typeof plan === "string" && plan !== "" ? ` (${plan.toLowerCase()} plan)` : "";
  const wait = waitMinutes(detail, now);
  const again = wait === undefined ? "" : ` Try again in ~${wait} min.`;
  return `You have hit your ChatGPT usage limit${ofPlan}.${again}`;
}

/** `resets_at` is Unix time in seconds. */
function waitMinutes(detail: Record<string, unknown>, now: number): number | undefined {
  const { resets_at: at, resets_in_seconds: seconds } = detail;
  const ms = typeof at === "number" ? at * 1000 - now : typeof seconds === "number" ? seconds * 1000 : undefined;
  return ms === undefined ? undefined : Math.max(0, Math.round(ms / 60_000));
}

function errorDetail(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    if (isObject(value)) return isObject(value["error"]) ? value["error"] : value;
  } catch {
    // Proxies answer in HTML.
  }
  return {};
}
