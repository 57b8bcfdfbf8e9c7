import type { IssuedLedger } from "../issued.js";
import type { SeenConversation, WireApi } from "../types.js";
import type { SseEvent } from "./sse.js";
import type { RenderContext, ResolvedTurn } from "./turn.js";

/** A request as the validation sees it. */
export interface RequestView {
  body: Record<string, unknown>;
  /** Lower-case names. */
  headers: Record<string, string>;
  /** The model asked for, wherever the wire format puts its name. */
  model: string;
  issued: IssuedLedger;
}

/** An error as the server means it; `type` overrides the provider's word for the status. */
export interface WireError {
  status: number;
  message: string;
  type?: string;
}

/** One wire format: pure parts only, the server owns sockets and clocks. */
export interface Wire {
  readonly api: WireApi;
  /** What of the key a request carries; undefined when it carries none. */
  keyOf(headers: Record<string, string>, query: URLSearchParams): string | undefined;
  modelOf(body: Record<string, unknown>, pathname: string): string;
  readConversation(body: Record<string, unknown>): SeenConversation;
  /** Why the real provider would refuse the request, worst first; empty = accepted. */
  findProblems(request: RequestView): string[];
  /** The answer, generated lazily: its size must not matter. */
  renderTurn(turn: ResolvedTurn, context: RenderContext): Iterable<SseEvent>;
  /** Headers of the answer beyond the content type of server-sent events, which they may replace. */
  responseHeaders(requestId: string): Record<string, string>;
  /** The JSON body of an HTTP error. */
  errorBody(error: WireError, requestId: string): object;
  /** The frame of an error in mid-stream. */
  errorFrame(message: string | undefined, type: string | undefined): string | Uint8Array;
  /** A frame whose data is not JSON. */
  readonly malformedFrame: string | Uint8Array;
  readonly unauthorized: { missing: string; wrong: string };
}

/** `Authorization: Bearer KEY` */
export function bearerKey(headers: Record<string, string>): string | undefined {
  return /^Bearer\s+(\S+)$/i.exec(headers["authorization"] ?? "")?.[1];
}
