import { HttpConnectionError, HttpStatusError, postJson } from "./http.js";
import type { FetchFunction, ProviderEnv } from "./types.js";

export { shownUrl, withoutSecrets } from "./http.js";

/** Small requests beside the models' own: sign-in, lists of models. They answer in JSON and are read whole. */

/** More than any such answer needs. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

export interface JsonRequest {
  url: string;
  /** Default GET, or POST when there is a body. */
  method?: "GET" | "POST" | undefined;
  headers?: Record<string, string> | undefined;
  /** Sent as a form. */
  form?: Record<string, string> | undefined;
  /** Sent as JSON. */
  json?: unknown;
  /** Limit for the whole answer, in ms. */
  timeoutMs: number;
  /** Provider-scoped environment for proxies and certificates. */
  env?: ProviderEnv | undefined;
  signal?: AbortSignal | undefined;
  fetch?: FetchFunction | undefined;
}

export interface JsonResponse {
  status: number;
  headers: Record<string, string>;
  /** Undefined when the body is no JSON. */
  body: unknown;
}

/**
 * Sends a request and reads the answer. An error status is an answer too: these protocols say more in its body.
 * @throws HttpConnectionError, HttpAbortError
 */
export async function requestJson(request: JsonRequest): Promise<JsonResponse> {
  const { url, form, json, headers = {}, timeoutMs, env, signal, fetch } = request;
  const hasBody = form !== undefined || json !== undefined;
  const type = form ? "application/x-www-form-urlencoded" : "application/json";
  try {
    const response = await postJson({
      method: request.method ?? (hasBody ? "POST" : "GET"),
      url,
      headers: { accept: "application/json", ...(hasBody && { "content-type": type }), ...headers },
      body: form ? new URLSearchParams(form).toString() : json === undefined ? "" : JSON.stringify(json),
      timeoutMs,
      idleTimeoutMs: timeoutMs,
      env,
      signal,
      fetch,
    });
    try {
      return { status: response.status, headers: response.headers, body: parsed(await wholeText(response)) };
    } finally {
      response.close();
    }
  } catch (error) {
    if (!(error instanceof HttpStatusError)) throw error;
    return { status: error.status, headers: error.headers, body: parsed(error.body) };
  }
}

async function wholeText(response: { read(): Promise<Uint8Array | undefined> }): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for (let piece = await response.read(); piece; piece = await response.read()) {
    size += piece.length;
    if (size > MAX_BODY_BYTES) throw new HttpConnectionError("connection", "The answer is too long");
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
