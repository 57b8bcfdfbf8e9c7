import type { AssistantMessageBuilder } from "../../assistant-message-builder.js";
import { appendAssistantMessageDiagnostic, createAssistantMessageDiagnostic } from "../../diagnostics.js";
import {
  DEFAULT_IDLE_TIMEOUT_MS,
  HttpAbortError,
  HttpConnectionError,
  type HttpResponse,
  HttpStatusError,
} from "../../http.js";
import { isObject } from "../../json/objects.js";
import type { Model, TranscriptContext } from "../../types.js";
import { type CodexConnection, goOverHttp, isOverHttp, putConnection, takeConnection } from "./codex-connections.js";
import { continuationOf, continued } from "./codex-continuation.js";
import type { OpenAICodexResponsesOptions } from "./codex-options.js";
import { codexSession } from "./codex-request.js";

/** Limit for a connection where the caller sets none, in ms. Source: llm.md section 16. */
const CONNECT_TIMEOUT_MS = 15_000;
/** Refusals of the connection or of what it remembers; a new one with the whole request is another matter. */
const STALE_CODES: ReadonlySet<unknown> = new Set([
  "previous_response_not_found",
  "websocket_connection_limit_reached",
]);

type Body = Record<string, unknown>;

/** One request that may go over a WebSocket. */
export interface SocketRequest {
  url: string;
  headers: Record<string, string>;
  body: Body;
  model: Model;
  context: TranscriptContext;
  options: OpenAICodexResponsesOptions;
  builder: AssistantMessageBuilder;
}

/**
 * Sends a request over the connection of its session. Undefined when it has to go over HTTP: because that is wanted, or
 * because no answer began over a connection, which a diagnostic of the message then tells.
 * @throws HttpStatusError when the server refuses the request; HttpConnectionError when it does not answer in time
 */
export async function overSocket(request: SocketRequest): Promise<HttpResponse | undefined> {
  const { options, builder } = request;
  const session = codexSession(options);
  // A fetch function of the caller cannot open connections.
  if (options.transport === "sse" || options.fetch !== undefined || isOverHttp(session)) return undefined;
  try {
    return await answerOver(request, session);
  } catch (error) {
    if (error instanceof Refusal) throw error.refusal;
    if (error instanceof HttpAbortError || isTimeout(error)) throw error;
    goOverHttp(session);
    const details = { transport: options.transport ?? "auto", fallback: "sse" };
    appendAssistantMessageDiagnostic(
      builder.message,
      createAssistantMessageDiagnostic("provider_transport_failure", error, details),
    );
    return undefined;
  }
}

/** The server took the connection, but not the request. */
class Refusal extends Error {
  constructor(
    readonly refusal: HttpStatusError,
    readonly isStale: boolean,
  ) {
    super(refusal.message);
  }
}

/** A server that has the request but is silent may be at work: sending it again would cost twice. */
function isTimeout(error: unknown): boolean {
  return error instanceof HttpConnectionError && error.code === "timeout";
}

async function answerOver(request: SocketRequest, session: string | undefined): Promise<HttpResponse> {
  const key = JSON.stringify([request.url, request.headers]);
  const rested = takeConnection(session, key);
  if (rested) {
    try {
      return await begun(request, rested, session);
    } catch (error) {
      // What rested may be gone without a word. That says nothing about a new connection.
      const isStale = error instanceof Refusal ? error.isStale : error instanceof HttpConnectionError;
      if (!isStale || isTimeout(error)) throw error;
    }
  }
  const { openWebSocket } = await import("../../http/web-socket.js");
  const socket = await openWebSocket({
    url: request.url,
    headers: request.headers,
    env: request.options.env,
    signal: request.options.signal,
    connectTimeoutMs: request.options.websocketConnectTimeoutMs ?? CONNECT_TIMEOUT_MS,
  });
  return begun(request, { socket, key, continuation: undefined }, session);
}

/** Sends the request, or what the server does not know of it yet, and waits for the beginning of the answer. */
async function begun(
  { body, model, context, options, builder }: SocketRequest,
  connection: CodexConnection,
  session: string | undefined,
): Promise<HttpResponse> {
  const { SocketResponse } = await import("../../http/socket-response.js");
  const idleTimeoutMs = options.idleTimeoutMs ?? DEFAULT_IDLE_TIMEOUT_MS;
  const response = new SocketResponse(connection.socket, {
    signal: options.signal,
    timeoutMs: options.timeoutMs ?? idleTimeoutMs,
    idleTimeoutMs,
    onFinish: () => {
      connection.continuation = options.disableContinuation
        ? undefined
        : continuationOf(body, model, context, builder.message);
      putConnection(session, connection);
    },
  });
  try {
    const { continuation } = connection;
    const rest = continuation && !options.disableContinuation ? continued(body, continuation) : undefined;
    const { stream: _, ...sent } = rest ?? body;
    connection.socket.send(JSON.stringify({ type: "response.create", ...sent }));
    const refusal = refusalIn(await response.first());
    if (refusal) throw refusal;
    return response;
  } catch (error) {
    response.close();
    throw error;
  }
}

/** What a first message says that refuses the request; such a message has the status of an HTTP answer. */
function refusalIn(text: string): Refusal | undefined {
  if (!text.includes('"error"')) return undefined;
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch {
    // The decoder says what is wrong with it.
    return undefined;
  }
  if (!isObject(event) || event["type"] !== "error" || !isObject(event["error"])) return undefined;
  const { status, error } = event;
  if (typeof status !== "number") return undefined;
  const refusal = new HttpStatusError(status, "", headersIn(event["headers"]), JSON.stringify({ error }));
  return new Refusal(refusal, STALE_CODES.has(error["code"]));
}

/** The headers that an answer over HTTP would have: they say when to come again. */
function headersIn(value: unknown): Record<string, string> {
  const entries = isObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(entries.map(([name, text]) => [name.toLowerCase(), String(text)]));
}
