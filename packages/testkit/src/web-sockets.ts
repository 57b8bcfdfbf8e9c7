import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { setImmediate as nextLoop } from "node:timers/promises";
import { type WebSocket, WebSocketServer } from "ws";
import { cutBytes } from "./chunking.js";
import { planStream } from "./faults.js";
import { asError, keyRefusal, nextTurn, plainHeaders, Refusal, type Room, turnEvents } from "./room.js";
import { codexPath } from "./routes.js";
import { pause } from "./send.js";
import type { Fault, RecordedRequest, ScriptedTurn } from "./types.js";
import { isObject, type JsonObject, objectsOf, stringOf } from "./wire/json.js";
import { codexProblems } from "./wire/openai-responses/codex-problems.js";
import { itemsOf } from "./wire/openai-responses/conversation.js";
import type { SseEvent } from "./wire/sse.js";
import type { WireError } from "./wire/wire.js";
import { wires } from "./wire/wires.js";

/** The backend of ChatGPT over WebSockets: a request is a message, its answer one message for each event. */

const wire = wires["openai-responses"];

/** One connection; it remembers its last answer, so that a request can go on from there. */
interface Connection {
  socket: WebSocket;
  number: number;
  headers: Record<string, string>;
  path: string;
  /** Aborts when the connection is gone. */
  gone: AbortSignal;
  last: { id: string; items: JsonObject[] } | undefined;
}

/** Takes connections beside the server's requests; the result ends them all. */
export function serveWebSockets(room: Room, server: Server): () => void {
  const sockets = new WebSocketServer({ noServer: true });
  let connections = 0;
  server.on("upgrade", (request: IncomingMessage, duplex: Duplex, head: Buffer) => {
    duplex.on("error", () => undefined);
    const url = new URL(`http://127.0.0.1${request.url ?? "/"}`);
    const headers = plainHeaders(request);
    const refusal = room.options.webSockets === false ? { status: 404 } : upgradeRefusal(room, headers, url);
    if (refusal) {
      duplex.end(`HTTP/1.1 ${refusal.status} Refused\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
      return;
    }
    sockets.handleUpgrade(request, duplex, head, (socket) => {
      attend(room, socket, { number: connections++, headers, path: url.pathname + url.search });
    });
  });
  return () => {
    for (const socket of sockets.clients) socket.terminate();
  };
}

function upgradeRefusal(room: Room, headers: Record<string, string>, url: URL): { status: number } | undefined {
  return url.pathname === codexPath ? keyRefusal(wire, headers, url, room.options.keys) : { status: 404 };
}

function attend(room: Room, socket: WebSocket, about: Pick<Connection, "number" | "headers" | "path">): void {
  const away = new AbortController();
  const connection: Connection = { ...about, socket, gone: away.signal, last: undefined };
  socket.on("error", () => undefined);
  socket.on("close", () => away.abort());
  socket.on("message", (data: Buffer) => {
    answer(room, connection, data.toString("utf8")).catch((error: unknown) => {
      if (error instanceof Refusal) sendError(connection, error.error);
      // A fault of this server itself must not pass for a scripted one.
      else socket.close(1011, `The scripted server failed: ${asError(error).message}`.slice(0, 120));
    });
  });
}

async function answer(room: Room, connection: Connection, text: string): Promise<void> {
  const receivedAt = Date.now();
  const message: unknown = JSON.parse(text);
  if (!isObject(message) || message["type"] !== "response.create") {
    throw new Refusal({ status: 400, message: "The first message must be a response.create." });
  }
  const { type: _, ...body } = message;
  const whole = wholeBody(body, connection);
  const { headers, path, number } = connection;
  const problems = [
    ...codexProblems(headers, body, "socket"),
    ...wire.findProblems({
      body: { ...whole, stream: true },
      headers,
      model: wire.modelOf(body, path),
      issued: room.issued,
    }),
  ];
  const record = room.log.add({
    api: wire.api,
    method: "GET",
    path,
    headers,
    body,
    connection: number,
    receivedAt,
    conversation: wire.readConversation(whole),
    problems,
    clientAborted: false,
  });
  const [worst] = problems;
  if (worst !== undefined && room.options.strict !== false) throw new Refusal({ status: 400, message: worst });
  const noteLeaving = (): void => {
    record.clientAborted = !room.closing;
  };
  connection.gone.addEventListener("abort", noteLeaving);
  const turn = await nextTurn(room.script, record);
  await answerTurn(room, connection, turn, { ...record, body: whole }, text.length, () =>
    connection.gone.removeEventListener("abort", noteLeaving),
  );
}

/** @throws {Refusal} when the request goes on from an answer this connection does not know */
function wholeBody(body: JsonObject, { last }: Connection): JsonObject {
  const { previous_response_id: id, ...rest } = body;
  if (id === undefined || id === null) return rest;
  if (last?.id !== id) {
    const message = `Previous response with id '${String(id)}' not found.`;
    throw new Refusal({ status: 400, message, type: "previous_response_not_found" });
  }
  return { ...rest, input: [...last.items, ...itemsOf(rest)] };
}

async function answerTurn(
  room: Room,
  connection: Connection,
  turn: ScriptedTurn,
  record: RecordedRequest,
  requestLength: number,
  onEnd: () => void,
): Promise<void> {
  const { socket, gone } = connection;
  const { fault } = turn;
  await pause(turn.delayMs ?? 0, gone);
  if (gone.aborted) return;
  if (fault?.kind === "status") {
    onEnd();
    sendStatus(connection, fault);
    return;
  }
  if (fault?.kind === "stall" && fault.beforeHeaders === true) return;
  const events = remembered(turnEvents(room, wire, turn, record, requestLength), record.body, connection);
  for (const step of planStream(events, fault, wire)) {
    if (gone.aborted) return;
    if (step.kind === "write") {
      sendMessage(socket, dataOf(String(step.frame)), turn);
      await (turn.eventDelayMs ? pause(turn.eventDelayMs, gone) : nextLoop());
    } else if (step.kind !== "stall") {
      onEnd();
      if (step.kind === "reset") socket.terminate();
      else if (fault?.kind === "end") socket.close(1000);
    }
  }
}

/** Passes the events on, and keeps what a following request can go on from. */
function* remembered(events: Iterable<SseEvent>, body: JsonObject, connection: Connection): Generator<SseEvent> {
  for (const event of events) {
    if (event.terminal === true) {
      const { response } = JSON.parse(dataOf(String(event.frame))) as { response: JsonObject };
      connection.last = { id: stringOf(response["id"]), items: [...itemsOf(body), ...objectsOf(response["output"])] };
    }
    yield event;
  }
}

/** Small chunks become the fragments of a message. */
function sendMessage(socket: WebSocket, text: string, { chunking = "event" }: ScriptedTurn): void {
  const whole = Buffer.from(text, "utf8");
  if (chunking === "event" || chunking === "whole") {
    socket.send(whole, { binary: false });
    return;
  }
  const parts = [...cutBytes([whole], chunking)];
  for (const [index, part] of parts.entries()) socket.send(part, { binary: false, fin: index === parts.length - 1 });
}

/** The data of a server-sent event. */
function dataOf(frame: string): string {
  return frame.slice(frame.indexOf("data: ") + "data: ".length).trimEnd();
}

function sendStatus(connection: Connection, { status, body, headers }: Extract<Fault, { kind: "status" }>): void {
  const said = body ?? wire.errorBody({ status, message: `scripted ${status}` }, "");
  const error = isObject(said) ? (said["error"] ?? said) : { message: said };
  connection.socket.send(JSON.stringify({ type: "error", status, error, headers }));
}

function sendError({ socket }: Connection, error: WireError): void {
  const { error: detail } = wire.errorBody(error, "") as { error: JsonObject };
  const code = error.type ?? detail["code"];
  socket.send(JSON.stringify({ type: "error", status: error.status, error: { ...detail, code } }));
}
