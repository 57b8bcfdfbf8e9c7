import type { IncomingMessage } from "node:http";
import type { IdSource } from "./ids.js";
import type { IssuedLedger } from "./issued.js";
import type { RequestLog } from "./requests.js";
import type { Script } from "./script.js";
import type { RecordedRequest, ScriptedServerOptions, ScriptedTurn } from "./types.js";
import { asciiFrame, type SseEvent } from "./wire/sse.js";
import { resolveTurn } from "./wire/turn.js";
import type { Wire, WireError } from "./wire/wire.js";

/** What a request needs of the server, whichever way it came. */

/** A failure that is answered in the provider's error shape. */
export class Refusal extends Error {
  readonly error: WireError;

  constructor(error: WireError) {
    super(error.message);
    this.error = error;
  }
}

/** What belongs to one running server. */
export interface Room {
  options: ScriptedServerOptions;
  script: Script;
  log: RequestLog;
  issued: IssuedLedger;
  ids: IdSource;
  /** `close` was called: connections that break now are not the clients' doing. */
  closing: boolean;
}

/** @throws {Refusal} 500 when the script is exhausted or its responder failed. */
export async function nextTurn(script: Script, record: RecordedRequest): Promise<ScriptedTurn> {
  let turn: ScriptedTurn | undefined;
  try {
    turn = await script.next(record);
  } catch (error) {
    throw new Refusal({ status: 500, message: `responder failed: ${asError(error).message}` });
  }
  if (turn === undefined) throw new Refusal({ status: 500, message: "script exhausted" });
  return turn;
}

/** The events of a turn that answers a request. */
export function turnEvents(
  room: Room,
  wire: Wire,
  turn: ScriptedTurn,
  { body, path }: Pick<RecordedRequest, "body" | "path">,
  requestLength: number,
): Iterable<SseEvent> {
  const requested = wire.modelOf(body, path.split("?")[0] ?? "");
  const events = wire.renderTurn(resolveTurn(turn, requested, requestLength), {
    body,
    model: requested,
    ids: room.ids,
    issue: (signature, text) => room.issued.issue(wire.api, signature, text),
    bind: (itemId, reasoningId) => room.issued.bind(itemId, reasoningId),
    createdAt: Math.floor(Date.now() / 1000),
  });
  return turn.asciiJson === true ? asciiEvents(events) : events;
}

function* asciiEvents(events: Iterable<SseEvent>): Generator<SseEvent> {
  for (const event of events) {
    yield typeof event.frame === "string" ? { ...event, frame: asciiFrame(event.frame) } : event;
  }
}

export function keyRefusal(
  wire: Wire,
  headers: Record<string, string>,
  url: URL,
  keys: readonly string[] | undefined,
): WireError | undefined {
  const key = wire.keyOf(headers, url.searchParams);
  if (key === undefined || key === "") return { status: 401, message: wire.unauthorized.missing };
  return keys === undefined || keys.includes(key) ? undefined : { status: 401, message: wire.unauthorized.wrong };
}

export function plainHeaders(request: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return headers;
}

export function asError(value: unknown): Error {
  return value instanceof Error ? value : new Error(String(value));
}
