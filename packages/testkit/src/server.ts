import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import * as zlib from "node:zlib";
import { planStream } from "./faults.js";
import { IdSource } from "./ids.js";
import { IssuedLedger } from "./issued.js";
import { RequestLog } from "./requests.js";
import { asError, keyRefusal, nextTurn, plainHeaders, Refusal, type Room, turnEvents } from "./room.js";
import { basePaths, modelList, routeOf } from "./routes.js";
import { Script } from "./script.js";
import { pause, sendStream } from "./send.js";
import type { Fault, RecordedRequest, ScriptedServer, ScriptedServerOptions, ScriptedTurn } from "./types.js";
import { serveWebSockets } from "./web-sockets.js";
import { isObject } from "./wire/json.js";
import { codexProblems } from "./wire/openai-responses/codex-problems.js";
import type { Wire, WireError } from "./wire/wire.js";
import { wires } from "./wire/wires.js";

/** One request on its way through the server. */
interface Exchange {
  wire: Wire;
  response: ServerResponse;
  requestId: string;
  /** Aborts when the connection is gone. */
  gone: AbortSignal;
  /** The server itself is about to cut the connection. */
  cut(): void;
}

/**
 * Starts a model server on 127.0.0.1 that answers from a script in real wire formats.
 *
 * @example
 * const server = await startScriptedServer({ script: [{ blocks: [{ type: "text", text: "Hi" }] }] });
 * const baseUrl = server.baseUrl("anthropic-messages");
 * // ... point a client at it, then
 * await server.close();
 */
export async function startScriptedServer(options: ScriptedServerOptions = {}): Promise<ScriptedServer> {
  const room: Room = {
    options,
    script: new Script(options.script),
    log: new RequestLog(),
    issued: new IssuedLedger(options.acceptSignatures),
    ids: new IdSource(),
    closing: false,
  };
  const server = createServer({ keepAliveTimeout: 0, requestTimeout: 0, noDelay: true }, (request, response) => {
    // A client that resets the connection is a client that left; `close` tells.
    response.on("error", () => undefined);
    serve(room, request, response).catch((error: unknown) => confess(response, asError(error)));
  });
  const endWebSockets = serveWebSockets(room, server);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no TCP address.");
  const url = `http://127.0.0.1:${address.port}`;

  let closing: Promise<void> | undefined;
  return {
    url,
    requests: room.log.requests,
    baseUrl: (api) => url + basePaths[api],
    push: (...turns) => room.script.push(turns),
    waitForRequest: (index, timeoutMs = 10_000) => room.log.wait(index, timeoutMs),
    acceptSignatures: (...signatures) => {
      for (const signature of signatures) room.issued.accept(signature);
    },
    issuedSignatures: () => room.issued.signatures(),
    get remaining() {
      return room.script.remaining;
    },
    close: () => {
      closing ??= new Promise((resolve) => {
        room.closing = true;
        room.log.close();
        server.close(() => resolve());
        endWebSockets();
        server.closeAllConnections();
      });
      return closing;
    },
  };
}

async function serve(room: Room, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const receivedAt = Date.now();
  const url = new URL(`http://127.0.0.1${request.url ?? "/"}`);
  const headers = plainHeaders(request);
  const text = await readBody(request);
  if (text === undefined) return;

  const route = routeOf(url.pathname, headers);
  const wire = wires[route.kind === "generate" ? route.api : route.style];
  let record: RecordedRequest | undefined;
  const away = new AbortController();
  let cutByServer = false;
  const exchange: Exchange = {
    wire,
    response,
    requestId: room.ids.next("req_01"),
    gone: away.signal,
    cut: () => {
      cutByServer = true;
    },
  };
  response.on("close", () => {
    const leftByClient = !response.writableEnded && !cutByServer && !room.closing;
    if (record !== undefined && leftByClient) record.clientAborted = true;
    away.abort();
  });

  try {
    const method = request.method ?? "";
    if (route.kind !== "generate") {
      answerElsewhere(room, exchange, route.kind, method, url, headers);
      return;
    }
    const parsed = parseBody(text);
    const body = parsed ?? {};
    const model = wire.modelOf(body, url.pathname);
    const refusal =
      methodRefusal(method) ??
      keyRefusal(wire, headers, url, room.options.keys) ??
      jsonRefusal(parsed) ??
      sseRefusal(wire, url);
    const problems =
      refusal === undefined
        ? [
            ...(route.isCodex === true ? codexProblems(headers, body) : []),
            ...wire.findProblems({ body, headers, model, issued: room.issued }),
          ]
        : [refusal.message];
    record = room.log.add({
      api: wire.api,
      method,
      path: url.pathname + url.search,
      headers,
      body,
      receivedAt,
      conversation: wire.readConversation(body),
      problems,
      clientAborted: false,
    });
    if (refusal !== undefined) throw new Refusal(refusal);
    const [worst] = problems;
    if (worst !== undefined && room.options.strict !== false) throw new Refusal({ status: 400, message: worst });
    await answerTurn(room, exchange, await nextTurn(room.script, record), record, text.length);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    sendError(exchange, error.error);
  }
}

async function answerTurn(
  room: Room,
  exchange: Exchange,
  turn: ScriptedTurn,
  record: RecordedRequest,
  requestLength: number,
): Promise<void> {
  const { wire, response, requestId, gone } = exchange;
  const { fault } = turn;
  await pause(turn.delayMs ?? 0, gone);
  if (gone.aborted) return;
  if (fault?.kind === "status") {
    sendStatus(exchange, fault);
    return;
  }
  if (fault?.kind === "stall" && fault.beforeHeaders === true) return;

  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
    ...wire.responseHeaders(requestId),
  });
  response.flushHeaders();
  const events = turnEvents(room, wire, turn, record, requestLength);
  await sendStream(response, planStream(events, fault, wire), {
    chunking: turn.chunking ?? "event",
    eventDelayMs: turn.eventDelayMs ?? 0,
    gone,
    onCut: () => exchange.cut(),
  });
}

function sendStatus(exchange: Exchange, fault: Extract<Fault, { kind: "status" }>): void {
  const { wire, response, requestId } = exchange;
  const headers = { ...wire.responseHeaders(requestId), ...fault.headers };
  const body = fault.body ?? wire.errorBody({ status: fault.status, message: `scripted ${fault.status}` }, requestId);
  const isText = typeof body === "string";
  response.writeHead(fault.status, { "content-type": isText ? "text/plain" : "application/json", ...headers });
  response.end(isText ? body : JSON.stringify(body));
}

function sendError({ wire, response, requestId }: Exchange, error: WireError): void {
  response.writeHead(error.status, { "content-type": "application/json", ...wire.responseHeaders(requestId) });
  response.end(JSON.stringify(wire.errorBody(error, requestId)));
}

/** A fault of this server itself must not pass for a scripted one. */
function confess(response: ServerResponse, error: Error): void {
  if (response.headersSent) {
    response.destroy(error);
    return;
  }
  response.writeHead(500, { "content-type": "text/plain" });
  response.end(`The scripted server failed: ${error.stack ?? error.message}`);
}

/** Model lists and paths that no provider has. */
function answerElsewhere(
  room: Room,
  exchange: Exchange,
  kind: "models" | "unknown",
  method: string,
  url: URL,
  headers: Record<string, string>,
): void {
  const { wire, response, requestId } = exchange;
  if (kind === "unknown" || method !== "GET") {
    throw new Refusal({ status: 404, message: `Invalid URL (${method} ${url.pathname})` });
  }
  const refusal = keyRefusal(wire, headers, url, room.options.keys);
  if (refusal !== undefined) throw new Refusal(refusal);
  response.writeHead(200, { "content-type": "application/json", ...wire.responseHeaders(requestId) });
  response.end(JSON.stringify(modelList(wire.api, room.options.models ?? ["scripted-1"])));
}

function methodRefusal(method: string): WireError | undefined {
  return method === "POST" ? undefined : { status: 405, message: `Method Not Allowed: ${method}` };
}

function jsonRefusal(parsed: unknown): WireError | undefined {
  return parsed === undefined ? { status: 400, message: "The request body is not a valid JSON object." } : undefined;
}

/** Without `alt=sse` Google streams a JSON array, which this server does not speak. */
function sseRefusal(wire: Wire, url: URL): WireError | undefined {
  if (wire.api !== "google-generative-ai" || url.searchParams.get("alt") === "sse") return undefined;
  return { status: 400, message: "Only alt=sse is served here." };
}

function parseBody(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined when the client left before its request was complete. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    return undefined;
  }
  const bytes = Buffer.concat(chunks);
  return (request.headers["content-encoding"] === "zstd" ? unpacked(bytes) : bytes).toString("utf8");
}

/** Only newer lines of Node have zstd; on others no client can have sent it. */
function unpacked(bytes: Buffer): Buffer {
  const { zstdDecompressSync } = zlib as unknown as { zstdDecompressSync?: (data: Buffer) => Buffer };
  return zstdDecompressSync === undefined ? bytes : zstdDecompressSync(bytes);
}
