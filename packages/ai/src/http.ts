import { withDeepestCause } from "./errors/cause.js";
import { checkAddress, checkHeaders } from "./http/checks.js";
import { HttpAbortError, HttpConnectionError, HttpSetupError, HttpStatusError } from "./http/errors.js";
import { Exchange } from "./http/exchange.js";
import { fetchFor } from "./http/fetch-for.js";
import { networkFailure } from "./http/network-failure.js";
import { sendWithinOrigin } from "./http/redirects.js";
import { type RetryOptions, withRetries } from "./http/retries.js";
import { secretsOf, withoutSecrets } from "./http/secrets.js";
import type { FetchFunction, ProviderEnv } from "./types.js";

export {
  HttpAbortError,
  HttpConnectionError,
  HttpRetryDelayError,
  HttpSetupError,
  HttpStatusError,
} from "./http/errors.js";
export { requestedDelay, withRetries } from "./http/retries.js";
export { secretsOf, shownUrl, withoutSecrets } from "./http/secrets.js";

/** Longest silence on an open response, in ms, where the caller sets no limit of its own. */
export const DEFAULT_IDLE_TIMEOUT_MS = 300_000;
/** How much of an error response is read, and for how long. */
const MAX_ERROR_BODY_BYTES = 256 * 1024;
const ERROR_BODY_TIMEOUT_MS = 10_000;
/** How long a response that said everything may take to end, so that its connection can be used again. */
const DRAIN_TIMEOUT_MS = 1000;

/** One request, a POST of a JSON body as a rule. All times in ms; 0 or less means no limit. */
export interface HttpRequest extends RetryOptions {
  /** Default POST. */
  method?: "GET" | "POST" | undefined;
  url: string;
  headers: Record<string, string>;
  /** JSON text, or its compressed bytes; another kind is said in the headers. Not sent with GET. */
  body: string | Uint8Array;
  fetch?: FetchFunction | undefined;
  /** Provider-scoped environment for proxies and certificates; wins over the process environment. */
  env?: ProviderEnv | undefined;
  /** Limit for a new connection, TLS included. Default 10000. */
  connectTimeoutMs?: number | undefined;
  /** Limit for the response headers. Default: none. */
  timeoutMs?: number | undefined;
  /** Longest silence before and between the pieces of the body. Default 300000. */
  idleTimeoutMs?: number | undefined;
  /** What a request says that found no server. Default: `Connection error.` */
  connectionText?: string | undefined;
  /** What a request says whose headers did not come in time. */
  timeoutText?: ((ms: number) => string) | undefined;
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

/**
 * Sends the request and resolves with the first successful response as soon as its headers are there.
 * @throws HttpStatusError, HttpConnectionError, HttpSetupError, HttpRetryDelayError, HttpAbortError,
 * UnsupportedProxyError; Error for other proxies and certificates that cannot be used
 */
export async function postJson(request: HttpRequest): Promise<HttpResponse> {
  checkAddress(request.url);
  checkHeaders(request.headers);
  // What is wrong with a proxy or a certificate is not the network's fault, and stays so.
  const send = request.fetch ?? (await fetchFor(request.url, request));
  return withRetries(request, () => attemptOnce(request, send));
}

async function attemptOnce(request: HttpRequest, send: FetchFunction): Promise<HttpResponse> {
  const exchange = new Exchange(request.signal);
  try {
    exchange.limit(
      request.timeoutMs,
      request.timeoutText ?? ((ms) => `Request timed out.: no response headers within ${ms} ms`),
    );
    const response = await exchange.wait(
      sendWithinOrigin(send, request.url, {
        method: request.method ?? "POST",
        headers: request.headers,
        ...(request.method !== "GET" && { body: request.body }),
        signal: exchange.signal,
      }),
    );
    const headers = Object.fromEntries(response.headers);
    if (!response.ok) {
      const secrets = secretsOf(request.headers, request.url);
      const hide = (text: string): string => withoutSecrets(text, secrets);
      const body = hide(await errorBody(exchange, response));
      throw new HttpStatusError(response.status, hide(response.statusText), headers, body);
    }
    exchange.limit(request.idleTimeoutMs ?? DEFAULT_IDLE_TIMEOUT_MS, (ms) => `Stream timed out: no data for ${ms} ms`);
    return new OpenResponse(exchange, response, headers);
  } catch (error) {
    exchange.close();
    if (isOurs(error)) throw error;
    throw networkFailure(request.connectionText ?? "Connection error.", error, request.url);
  }
}

function isOurs(error: unknown): boolean {
  return [HttpStatusError, HttpConnectionError, HttpSetupError, HttpAbortError].some((kind) => error instanceof kind);
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
