import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { ClientOptions, WebSocket } from "ws";
import type { ProviderEnv } from "../types.js";
import { trustedCertificates } from "./certificates.js";
import { checkAddress, checkHeaders } from "./checks.js";
import { HttpAbortError, HttpConnectionError, HttpStatusError } from "./errors.js";
import { networkFailure } from "./network-failure.js";
import { wayOf } from "./way.js";

/** A single message may not be longer than this, in bytes: no provider comes near it. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** Where to connect to. */
export interface WebSocketTarget {
  /** `ws:`, `wss:`, or the same as `http:` and `https:`. */
  url: string;
  headers: Record<string, string>;
  /** Provider-scoped environment for proxies and certificates; wins over the process environment. */
  env?: ProviderEnv | undefined;
  signal?: AbortSignal | undefined;
  /** Limit for connection and handshake in ms; 0 or less means none. */
  connectTimeoutMs: number;
}

/** Who hears what a connection says. */
export interface MessageListener {
  onMessage(text: string): void;
  /** Once, when the connection is gone, whoever ended it. */
  onClose(error: HttpConnectionError): void;
}

/** An open connection that carries messages of text both ways. While nobody listens it does not keep the process alive. */
export class MessageSocket {
  /** Of the server's answer to the handshake. */
  readonly headers: Record<string, string>;
  readonly #socket: WebSocket;
  readonly #connection: Socket;
  #listener: MessageListener | undefined;

  constructor(socket: WebSocket, answer: IncomingMessage) {
    this.#socket = socket;
    this.#connection = answer.socket;
    this.headers = plainHeaders(answer);
    socket.on("message", (data: Buffer) => this.#listener?.onMessage(data.toString("utf8")));
    socket.on("error", () => undefined);
    socket.on("close", (code, reason) => {
      const why = reason.length > 0 ? `${code} ${reason.toString("utf8")}` : String(code);
      this.#listener?.onClose(new HttpConnectionError("connection", `WebSocket closed before the end: ${why}`));
    });
    this.#connection.unref();
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  send(text: string): void {
    this.#socket.send(text);
  }

  /** One listener at a time; undefined: the connection rests. */
  listen(listener: MessageListener | undefined): void {
    this.#listener = listener;
    if (listener) this.#connection.ref();
    else this.#connection.unref();
  }

  /** Ends the connection at once. */
  close(): void {
    this.#socket.terminate();
  }
}

/**
 * Opens a connection, by the ways that requests go too: proxies and certificates of the provider included.
 * @throws HttpStatusError when the server refuses the handshake; HttpConnectionError, HttpSetupError, HttpAbortError,
 * UnsupportedProxyError
 */
export async function openWebSocket(target: WebSocketTarget): Promise<MessageSocket> {
  checkAddress(target.url);
  checkHeaders(target.headers);
  const url = new URL(target.url);
  // Proxies are chosen by what the connection begins as.
  const way = wayOf(target.url.replace(/^ws/i, "http"), { env: target.env });
  const ca = way?.certificates === undefined ? undefined : await trustedCertificates(way.certificates);
  const options: ClientOptions = {
    headers: target.headers,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    ...(target.connectTimeoutMs > 0 ? { handshakeTimeout: target.connectTimeoutMs } : {}),
    ...(ca ? { ca } : {}),
  };
  if (way?.proxy !== undefined) {
    const connection = await throughProxy(way.proxy, url, ca, target);
    options.createConnection = () => connection;
  }
  const { WebSocket } = await import("ws");
  if (target.signal?.aborted) throw new HttpAbortError();
  return opened(new WebSocket(url, options), url, target.signal);
}

async function throughProxy(
  proxy: string,
  url: URL,
  ca: string[] | undefined,
  { connectTimeoutMs }: WebSocketTarget,
): Promise<Socket> {
  const { tunnel } = await import("./tunnel.js");
  const isSecure = url.protocol === "wss:" || url.protocol === "https:";
  const port = url.port || (isSecure ? 443 : 80);
  try {
    return await tunnel(proxy, { hostname: url.hostname, port, isSecure, ca, timeoutMs: connectTimeoutMs });
  } catch (error) {
    throw failure(error, url);
  }
}

function opened(socket: WebSocket, url: URL, signal: AbortSignal | undefined): Promise<MessageSocket> {
  return new Promise((resolve, reject) => {
    let answer: IncomingMessage | undefined;
    const settle = (act: () => void): void => {
      signal?.removeEventListener("abort", onAbort);
      act();
    };
    const onAbort = (): void => {
      socket.on("error", () => undefined);
      socket.terminate();
      settle(() => reject(new HttpAbortError()));
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    socket.once("upgrade", (response) => {
      answer = response;
    });
    socket.once("unexpected-response", (request, response) => {
      const status = response.statusCode ?? 0;
      request.destroy();
      const refusal = new HttpStatusError(status, response.statusMessage ?? "", plainHeaders(response), "");
      settle(() => reject(refusal));
    });
    socket.once("error", (error) => settle(() => reject(failure(error, url))));
    socket.once("open", () =>
      settle(() =>
        answer ? resolve(new MessageSocket(socket, answer)) : reject(failure(new Error("No handshake"), url)),
      ),
    );
  });
}

function failure(error: unknown, url: URL): Error {
  return networkFailure("WebSocket error.", error, url.href);
}

function plainHeaders({ headers }: IncomingMessage): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) plain[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return plain;
}
