import type { HttpResponse } from "../http.js";
import { Exchange } from "./exchange.js";
import type { MessageSocket } from "./web-socket.js";

/** Limits of one answer in ms; 0 or less means none. */
export interface SocketResponseOptions {
  signal?: AbortSignal | undefined;
  /** For the first message. */
  timeoutMs: number | undefined;
  /** For the silence between two messages. */
  idleTimeoutMs: number;
  /** The answer was read to its end: the connection can be used again. Not called when it was given up. */
  onFinish(): void;
}

/**
 * An answer that comes as messages over an open connection. It reads like one over HTTP whose body is server-sent
 * events, one for each message.
 */
export class SocketResponse implements HttpResponse {
  /** That of a handshake which succeeded. */
  readonly status = 101;
  readonly headers: Record<string, string>;
  readonly #socket: MessageSocket;
  readonly #options: SocketResponseOptions;
  readonly #exchange: Exchange;
  #messages: string[] = [];
  #failure: Error | undefined;
  #wake: (() => void) | undefined;

  constructor(socket: MessageSocket, options: SocketResponseOptions) {
    this.headers = { ...socket.headers, "content-type": "text/event-stream" };
    this.#socket = socket;
    this.#options = options;
    this.#exchange = new Exchange(options.signal);
    this.#exchange.limit(options.timeoutMs, (ms) => `Request timed out.: no answer within ${ms} ms`);
    socket.listen({
      onMessage: (text) => {
        this.#messages.push(text);
        this.#wake?.();
      },
      onClose: (error) => {
        this.#failure = error;
        this.#wake?.();
      },
    });
  }

  /**
   * The first message, which stays to be read.
   * @throws HttpConnectionError, HttpAbortError
   */
  async first(): Promise<string> {
    await this.#arrival();
    return this.#messages[0] ?? "";
  }

  async read(): Promise<Uint8Array> {
    await this.#arrival();
    const frames = this.#messages.map((text) => `data: ${text.replace(/\r\n?|\n/g, "\ndata: ")}\n\n`);
    this.#messages = [];
    return Buffer.from(frames.join(""), "utf8");
  }

  finish(): void {
    this.#exchange.settle();
    this.#socket.listen(undefined);
    this.#options.onFinish();
  }

  close(): void {
    this.#exchange.close();
    this.#socket.listen(undefined);
    this.#socket.close();
  }

  /** Waits until a message is there. What arrived before the connection broke is read first. */
  async #arrival(): Promise<void> {
    if (this.#messages.length === 0) {
      if (this.#failure) throw this.#failure;
      const arrival = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      await this.#exchange.wait(arrival);
      if (this.#messages.length === 0 && this.#failure) throw this.#failure;
    }
    this.#exchange.limit(this.#options.idleTimeoutMs, (ms) => `Stream timed out: no data for ${ms} ms`);
  }
}
