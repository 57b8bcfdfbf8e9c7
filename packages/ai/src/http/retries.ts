import { delay } from "../delay.js";
import { HttpAbortError, HttpConnectionError, HttpRetryDelayError, HttpStatusError } from "./errors.js";

/** Longest wait a server may ask for, in ms. */
const DEFAULT_MAX_RETRY_DELAY_MS = 60_000;

/** How often a request is tried, and when again. Rules: llm.md section 10. */
export interface RetryOptions {
  signal?: AbortSignal | undefined;
  /** Further attempts after network errors, 408, 409, 429 and 5xx. Default 0. */
  maxRetries?: number | undefined;
  /** Longest wait a server may ask for before it counts as a failure. Default 60000; 0 = no cap. */
  maxRetryDelayMs?: number | undefined;
  /** What a refused request says to people; becomes part of errors about the wait the server asks for. */
  describeStatus?: ((error: HttpStatusError) => string) | undefined;
  /** Wait before retry number n (from 1) when the server asks for none. Default: 0.5 s doubling to 8 s, less up to 25 %. */
  backoffMs?: ((attempt: number) => number) | undefined;
  /** False for refusals that no retry can help. Default: judged by status and headers. */
  mayRetry?: ((error: HttpStatusError) => boolean) | undefined;
}

/**
 * The outcome of the first attempt that succeeds, or of the last one.
 * @throws what the last attempt throws; HttpRetryDelayError when the server asks for too long a wait; HttpAbortError
 */
export async function withRetries<T>(request: RetryOptions, attemptOnce: () => Promise<T>): Promise<T> {
  const attempts = 1 + Math.max(0, request.maxRetries ?? 0);
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptOnce();
    } catch (error) {
      if (attempt >= attempts || request.signal?.aborted || !isRetryable(error, request)) throw error;
      await delay(waitBeforeRetry(error, attempt, request), request.signal);
      if (request.signal?.aborted) throw new HttpAbortError();
    }
  }
}

function isRetryable(error: unknown, request: RetryOptions): boolean {
  if (error instanceof HttpConnectionError) return true;
  if (!(error instanceof HttpStatusError) || request.mayRetry?.(error) === false) return false;
  const advice = error.headers["x-should-retry"];
  if (advice === "true") return true;
  if (advice === "false") return false;
  const { status } = error;
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** Wait before the next attempt in ms: what the server asks for, else what the request or this layer does by default. */
function waitBeforeRetry(error: unknown, attempt: number, request: RetryOptions): number {
  const requested = error instanceof HttpStatusError ? requestedDelay(error.headers, Date.now()) : undefined;
  if (requested === undefined || !(error instanceof HttpStatusError)) {
    return request.backoffMs?.(attempt) ?? Math.min(0.5 * 2 ** (attempt - 1), 8) * (1 - Math.random() * 0.25) * 1000;
  }
  const cap = request.maxRetryDelayMs ?? DEFAULT_MAX_RETRY_DELAY_MS;
  if (cap > 0 && requested > cap) {
    const message = request.describeStatus?.(error) ?? error.message;
    const seconds = (ms: number): number => Math.ceil(ms / 1000);
    throw new HttpRetryDelayError(
      `Server requested ${seconds(requested)}s retry delay (max: ${seconds(cap)}s). ${message}`,
    );
  }
  return requested;
}

/** The wait a response asks for, in ms; undefined when it asks for none. */
export function requestedDelay(headers: Record<string, string>, now: number): number | undefined {
  const precise = headers["retry-after-ms"];
  if (precise !== undefined && Number.isFinite(Number.parseFloat(precise))) {
    return Math.max(0, Number.parseFloat(precise));
  }
  const text = headers["retry-after"];
  if (text === undefined) return undefined;
  if (/^\s*\d+(?:\.\d+)?\s*$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
