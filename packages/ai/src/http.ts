import { delay } from "./delay.js";
import { withDeepestCause } from "./errors/cause.js";
import { fetchFor } from "./http/fetch-for.js";
import type { FetchFunction, ProviderEnv } from "./types.js";

/** Longest silence on an open response, in ms, where the caller sets no limit of its own. */
export const DEFAULT_IDLE_TIMEOUT_MS = 300_000;
/** Longest wait a server may ask for, in ms. */
const DEFAULT_MAX_RETRY_DELAY_MS = 60_000;
/** Timers cannot run longer; a limit this high means "none". */
const MAX_TIMER_MS = 2_147_483_647;
/** How much of an error response is read, and for how long. */
const MAX_ERROR_BODY_BYTES = 256 * 1024;
const ERROR_BODY_TIMEOUT_MS = 10_000;
/** How long a response that said everything may take to end, so that its connection can be used again. */
const DRAIN_TIMEOUT_MS = 1000;

/** One request, a POST of a JSON body as a rule. All times in ms; 0 or less means no limit. */
export interface HttpRequest {
  /** Default POST. */
  method?: "GET" | "POST" | undefined;
  url: string;
  headers: Record<string, string>;
  /** JSON text, or its compressed bytes; another kind is said in the headers. Not sent with GET. */
  body: string | Uint8Array;
  fetch?: FetchFunction | undefined;
  /** Provider-scoped environment for proxies and certificates; wins over the process environment. */
  env?: ProviderEnv | undefined;
  signal?: AbortSignal | undefined;
  /** Limit for a new connection, TLS included. Default 10000. */
  connectTimeoutMs?: number | undefined;
  /** Limit for the response headers. Default: none. */
  timeoutMs?: number | undefined;
  /** Longest silence before and between the pieces of the body. Default 300000. */
  idleTimeoutMs?: number | undefined;
  /** Further attempts after network errors, 408, 409, 429 and 5xx. Default 0. */
  maxRetries?: number | undefined;
  /** Longest wait a server may ask for before it counts as a failure. Default 60000; 0 = no cap. */
  maxRetryDelayMs?: number | undefined;
  /** What a refused request says to people; becomes part of errors about the wait the server asks for. */
  describeStatus?: ((error: HttpStatusError) => string) | undefined;
  /** What a request says that found no server. Default: `Connection error.` */
  connectionText?: string | undefined;
  /** What a request says whose headers did not come in time. */
  timeoutText?: ((ms: number) => string) | undefined;
  /** Wait before retry number n (from 1) when the server asks for none. Default: 0.5 s doubling to 8 s, less up to 25 %. */
  backoffMs?: ((attempt: number) => number) | undefined;
  /** False for refusals that no retry can help. Default: judged by status and headers. */
  mayRetry?: ((error: HttpStatusError) => boolean) | undefined;
}

/** A successful response whose body has not been read. Ends with `finish` or `close`, in any case. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  /**
   * The next piece of the body; undefined at its end.
   * @throws HttpConnectionError, HttpAbortError
   */
  read(): Promise<Uint8Array | undefined>;
  /** The response has said everything: reads its end in the background, so that its connection can be used again. */
  finish(): void;
  /** Ends the request at once. */
  close(): void;
}

/** The server answered with an error status. */
export class HttpStatusError extends Error {
  override name = "HttpStatusError";
  readonly code = "http_status";

  constructor(
    readonly status: number,
    readonly statusText: string,
    readonly headers: Record<string, string>,
    /** Beginning of the body; empty when there is none. */
    readonly body: string,
  ) {
    super(`${status} ${body || statusText || "status code (no body)"}`);
  }
}

/** No usable answer came from the network. The message ends with the innermost cause. */
export class HttpConnectionError extends Error {
  override name = "HttpConnectionError";
  readonly code: "connection" | "timeout";

  constructor(code: "connection" | "timeout", message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The server asks for a longer wait than the caller accepts. */
export class HttpRetryDelayError extends Error {
  override name = "HttpRetryDelayError";
  readonly code = "retry_delay";
}

/** The caller's signal ended the request. */
export class HttpAbortError extends Error {
  override name = "AbortError";
  readonly code = "aborted";

  constructor() {
    super("Request was aborted");
  }
}

/**
 * Sends the request and resolves with the first successful response as soon as its headers are there.
 * @throws HttpStatusError, HttpConnectionError, HttpRetryDelayError, HttpAbortError, UnsupportedProxyError; Error for
 * other proxies and certificates that cannot be used
 */
export async function postJson(request: HttpRequest): Promise<HttpResponse> {
  const attempts = 1 + Math.max(0, request.maxRetries ?? 0);
  // What is wrong with a proxy or a certificate is not the network's fault, and stays so.
  const send = request.fetch ?? (await fetchFor(request.url, request));
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptOnce(request, send);
    } catch (error) {
      if (attempt >= attempts || request.signal?.aborted || !isRetryable(error, request)) throw error;
      await delay(waitBeforeRetry(error, attempt, request), request.signal);
      if (request.signal?.aborted) throw new HttpAbortError();
    }
  }
}

async function attemptOnce(request: HttpRequest, send: FetchFunction): Promise<HttpResponse> {
  const exchange = new Exchange(request.signal);
  try {
    exchange.limit(
      request.timeoutMs,
      request.timeoutText ?? ((ms) => `Request timed out.: no response headers within ${ms} ms`),
    );
    const response = await exchange.wait(
      send(request.url, {
        method: request.method ?? "POST",
        headers: request.headers,
        ...(request.method !== "GET" && { body: request.body }),
        signal: exchange.signal,
      }),
    );
    const headers = Object.fromEntries(response.headers);
    if (!response.ok) {
      throw new HttpStatusError(response.status, response.statusText, headers, await errorBody(exchange, response));
    }
    exchange.limit(request.idleTimeoutMs ?? DEFAULT_IDLE_TIMEOUT_MS, (ms) => `Stream timed out: no data for ${ms} ms`);
    return new OpenResponse(exchange, response, headers);
  } catch (error) {
    exchange.close();
    if (error instanceof HttpStatusError || error instanceof HttpConnectionError || error instanceof HttpAbortError) {
      throw error;
    }
    throw new HttpConnectionError(
      "connection",
      withDeepestCause(request.connectionText ?? "Connection error.", wrapped(error)),
      { cause: error },
    );
  }
}

/** A network failure says what happened only in its cause; any other failure of a fetch function says it itself. */
function wrapped(error: unknown): Error {
  const hasCause = error instanceof Error && error.cause instanceof Error;
  return hasCause ? error : new Error("", { cause: error instanceof Error ? error : new Error(String(error)) });
}

/** One attempt: ties the caller's signal and the time limits to one abort, and to whatever is being waited for. */
class Exchange {
  readonly #controller = new AbortController();
  readonly #callerSignal: AbortSignal | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failure: Error | undefined;
  #rejectWait: ((error: Error) => void) | undefined;

  constructor(callerSignal: AbortSignal | undefined) {
    this.#callerSignal = callerSignal;
    if (callerSignal?.aborted) this.#onCallerAbort();
    else callerSignal?.addEventListener("abort", this.#onCallerAbort);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  readonly #onCallerAbort = (): void => this.#interrupt(new HttpAbortError());

  /** Starts a limit, in place of the one before. */
  limit(ms: number | undefined, message: (ms: number) => string): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (ms === undefined || ms <= 0 || ms >= MAX_TIMER_MS) return;
    this.#timer = setTimeout(() => this.#interrupt(new HttpConnectionError("timeout", message(ms))), ms);
  }

  /** Starts the current limit anew. */
  extend(): void {
    this.#timer?.refresh();
  }

  /**
   * The promise's outcome, or a rejection as soon as the exchange is interrupted: also when a fetch function does not
   * heed its signal. Without `Promise.race`, whose losers would pile up on a long-lived promise.
   */
  wait<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#failure) {
        reject(this.#failure);
        promise.catch(() => undefined);
        return;
      }
      this.#rejectWait = reject;
      promise.then(
        (value) => {
          this.#rejectWait = undefined;
          resolve(value);
        },
        (error: unknown) => reject(this.#failure ?? error),
      );
    });
  }

  /** Ends limits and listening; the connection stays. */
  settle(): void {
    clearTimeout(this.#timer);
    this.#callerSignal?.removeEventListener("abort", this.#onCallerAbort);
  }

  /** Ends everything, the connection included. */
  close(): void {
    this.settle();
    this.#controller.abort();
  }

  #interrupt(failure: Error): void {
    if (this.#failure) return;
    this.#failure = failure;
    this.#rejectWait?.(failure);
    this.#controller.abort(failure);
  }
}

class OpenResponse implements HttpResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly #exchange: Exchange;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  constructor(exchange: Exchange, response: Response, headers: Record<string, string>) {
    this.status = response.status;
    this.headers = headers;
    this.#exchange = exchange;
    this.#reader = response.body?.getReader();
  }

  async read(): Promise<Uint8Array | undefined> {
    if (!this.#reader) return undefined;
    try {
      const piece = await this.#exchange.wait(this.#reader.read());
      this.#exchange.extend();
      return piece.done ? undefined : piece.value;
    } catch (error) {
      if (error instanceof HttpConnectionError || error instanceof HttpAbortError) throw error;
      const message = error instanceof Error ? error.message : String(error);
      throw new HttpConnectionError("connection", withDeepestCause(message, error), { cause: error });
    }
  }

  finish(): void {
    void this.#drain();
  }

  close(): void {
    this.#exchange.close();
  }

  async #drain(): Promise<void> {
    this.#exchange.limit(DRAIN_TIMEOUT_MS, () => "Response did not end");
    try {
      while ((await this.read()) !== undefined);
      this.#exchange.settle();
    } catch {
      // Nobody waits for this end; the connection is given up instead.
      this.close();
    }
  }
}

/** The beginning of an error response. What cannot be read in time is left out: the status says the main thing. */
async function errorBody(exchange: Exchange, response: Response): Promise<string> {
  exchange.limit(ERROR_BODY_TIMEOUT_MS, () => "Error response timed out");
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  let text = "";
  let size = 0;
  try {
    while (reader && size < MAX_ERROR_BODY_BYTES) {
      const { done, value } = await exchange.wait(reader.read());
      if (done) break;
      size += value.length;
      text += decoder.decode(value, { stream: true });
    }
  } catch (error) {
    if (error instanceof HttpAbortError) throw error;
  }
  return text;
}

function isRetryable(error: unknown, request: HttpRequest): boolean {
  if (error instanceof HttpConnectionError) return true;
  if (!(error instanceof HttpStatusError) || request.mayRetry?.(error) === false) return false;
  const advice = error.headers["x-should-retry"];
  if (advice === "true") return true;
  if (advice === "false") return false;
  const { status } = error;
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** Wait before the next attempt in ms: what the server asks for, else what the request or this layer does by default. */
function waitBeforeRetry(error: unknown, attempt: number, request: HttpRequest): number {
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
