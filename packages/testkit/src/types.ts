/** The contract of the scripted model server: what a test scripts, and what it can look at afterwards. */

/** The wire formats the server speaks. */
export type WireApi =
  | "anthropic-messages"
  | "openai-completions"
  | "openai-responses"
  | "google-generative-ai"
  | "mistral-conversations"
  | "bedrock-converse-stream";

/** What clients may call the server by: the wire formats, and their relatives with paths of their own. */
export type ServedApi = WireApi | "azure-openai-responses" | "openai-codex-responses" | "google-vertex";

/** One block of a scripted answer. */
export type ScriptedBlock =
  /** `signature`: only Google, where the last part of a text may carry a `thoughtSignature`. */
  | { type: "text"; text: string; signature?: string }
  /**
   * `signature`: what the provider sends with it (Anthropic `signature`, Responses `encrypted_content`, Google
   * `thoughtSignature` on the following part). Default: a fresh one where the provider always sends one.
   * Completions: a field name (`reasoning`, `reasoning_text`) chooses that field instead of `reasoning_content`;
   * anything else is sent in `reasoning_details`.
   */
  | { type: "thinking"; text: string; signature?: string }
  /** Anthropic `redacted_thinking`, Bedrock `redactedContent`; the other wire formats leave it out. */
  | { type: "redactedThinking"; data: string }
  /**
   * `arguments` as an object is sent as its JSON text; a string is sent as it is, valid JSON or not.
   * Google sends whole objects only, so text that is none ends the answer with `MALFORMED_FUNCTION_CALL`.
   * On the OpenAI APIs, a tool that the request declares as a custom one gets the text itself as its input.
   * `id`: on Responses the `call_id`, or `call_id|item_id`. On Google no id is sent unless one is given.
   * `signature`: only Google (`thoughtSignature` of the function call).
   */
  | { type: "toolCall"; id?: string; name: string; arguments: Record<string, unknown> | string; signature?: string };

export type ScriptedStopReason = "stop" | "length" | "toolUse" | "refusal" | (string & {});

/** Tokens of the answer. Given without some fields: those are 0. Not given at all: estimated, four characters a token. */
export interface ScriptedUsage {
  /** Without cache reads and writes. */
  input?: number;
  output?: number;
  cacheRead?: number;
  cacheWrite?: number;
  reasoning?: number;
}

/**
 * Where the bytes of the response are cut into separate socket writes.
 * `event`: one write per SSE event. `whole`: one write. `{bytes: n}`: every n bytes, so also inside UTF-8 characters,
 * inside JSON escapes and inside field names. `{seed}`: pseudo-random cuts of 1 to 40 bytes, repeatable by the seed.
 */
export type Chunking = "event" | "whole" | { bytes: number } | { seed: number };

/**
 * What goes wrong. `afterEvents` counts SSE events already written (default 0: right after the headers). It never goes
 * past the provider's terminal event, so `Infinity` means: everything but the end.
 */
export type Fault =
  /** An HTTP error instead of a stream. A string body is sent as it is, an object as JSON. */
  | { kind: "status"; status: number; body?: string | object; headers?: Record<string, string> }
  /** The socket is destroyed (RST) in mid-stream. */
  | { kind: "reset"; afterEvents?: number }
  /** An event whose data is not JSON, after which the stream goes on. */
  | { kind: "malformed"; afterEvents?: number }
  /** Nothing more is sent, the socket stays open. `beforeHeaders`: not even the status line. */
  | { kind: "stall"; afterEvents?: number; beforeHeaders?: boolean }
  /** The response ends properly, but without the provider's terminal event. */
  | { kind: "end"; afterEvents?: number }
  /** The provider's own in-stream error event. */
  | { kind: "errorEvent"; afterEvents?: number; message?: string; type?: string };

/** One scripted answer. */
export interface ScriptedTurn {
  blocks?: ScriptedBlock[];
  /** Default: `toolUse` when there is a tool call, else `stop`. A word unknown here is sent as it is. */
  stopReason?: ScriptedStopReason;
  usage?: ScriptedUsage;
  /** Longest text of one delta event in UTF-16 units (surrogate pairs are never split by it). Default 24. */
  deltaSize?: number;
  /** Default `event`. */
  chunking?: Chunking;
  /** Write every character beyond ASCII as a `\\uXXXX` escape, so that small chunks cut inside escapes. Default false. */
  asciiJson?: boolean;
  /** Pause before the response headers, in ms. */
  delayMs?: number;
  /** Pause between socket writes, in ms. */
  eventDelayMs?: number;
  /** Model name the server claims. Default: the requested one. */
  model?: string;
  responseId?: string;
  fault?: Fault;
}

/** A tool result as the model sees it, whatever the wire format. */
export interface SeenToolResult {
  callId: string;
  name?: string;
  text: string;
  images: number;
  isError: boolean;
}

/** The conversation of a request in one shape for all wire formats, so that a responder can compute its answer. */
export interface SeenConversation {
  system: string;
  tools: { name: string; description: string; parameters: unknown }[];
  turns: (
    | { role: "user"; text: string; images: number }
    | { role: "assistant"; text: string; toolCalls: { id: string; name: string; arguments: unknown }[] }
    | { role: "toolResults"; results: SeenToolResult[] }
  )[];
  /** Results after the last assistant turn; empty when the last turn is the user's. */
  lastResults: SeenToolResult[];
}

export interface RecordedRequest {
  /** 0-based, in the order in which the requests had been read completely. */
  index: number;
  api: WireApi;
  method: string;
  /** Path with query. */
  path: string;
  headers: Record<string, string>;
  body: Record<string, unknown>;
  /** Over a WebSocket: which connection of the server brought it, from 0. */
  connection?: number;
  /** `Date.now()` when the request line was read. */
  receivedAt: number;
  conversation: SeenConversation;
  /** Why a real provider would refuse the request; empty = accepted. */
  problems: string[];
  /** True once the client went away before the response was complete. */
  clientAborted: boolean;
}

/** Answers a request by computation. */
export type Responder = (request: RecordedRequest) => ScriptedTurn | Promise<ScriptedTurn>;

export interface ScriptedServerOptions {
  /** Turns are used up in order of arrival; a responder is asked each time. Without any: 500 `script exhausted`. */
  script?: ScriptedTurn[] | Responder;
  /** Refuse (400, in the provider's error shape) what the real provider refuses. Default true. */
  strict?: boolean;
  /** Accepted API keys; others get the provider's 401. Default: any non-empty key. */
  keys?: string[];
  /** Default 0: a free port. */
  port?: number;
  /**
   * Signatures (or encrypted reasoning, or thought signatures) that count as issued besides the server's own, e.g. of a
   * server of an earlier test stage. `"any"` accepts all. Default: none.
   */
  acceptSignatures?: readonly string[] | "any";
  /** Codex only: take connections by WebSocket. Default true; false refuses their handshake. */
  webSockets?: boolean;
  /** What the model lists name. Default `["scripted-1"]`. */
  models?: readonly string[];
}

export interface ScriptedServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** Base URL as a model's `baseUrl` wants it for this API. */
  baseUrl(api: ServedApi): string;
  /** Adds turns to the end of the script (only for a list script). */
  push(...turns: ScriptedTurn[]): void;
  /** Resolves with the request of that index as soon as it has been read; rejects after `timeoutMs` (default 10000). */
  waitForRequest(index: number, timeoutMs?: number): Promise<RecordedRequest>;
  /** Lets the validation accept signatures that this server did not issue. */
  acceptSignatures(...signatures: string[]): void;
  /** Everything this server issued so far, to be handed to another server's `acceptSignatures`. */
  issuedSignatures(): string[];
  /** Turns of the list script that were not asked for. */
  readonly remaining: number;
  /** Closes all sockets, stalled ones included. */
  close(): Promise<void>;
}
