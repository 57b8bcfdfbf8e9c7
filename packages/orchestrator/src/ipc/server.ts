import { LineSplitter } from "../lines.js";
import type { Sink } from "../streams/sink.js";
import type { OrchestratorRequest } from "../types.js";
import { errorAnswer, longestFrame, parseRequest } from "./protocol.js";
import { listenPrivately, type Server, type Socket } from "./socket.js";
import { socketSink } from "./socket-sink.js";

/** What a connection that became a stream does with the lines of its client. */
export interface OpenStream {
  onLine(line: string): void;
  onClose(): void;
  /** Resolves when what the client asked is answered. */
  answered(): Promise<unknown>;
}

export interface RequestHandler {
  /** The whole answer line. */
  answer(request: Exclude<OrchestratorRequest, { type: "rpc_stream" }>): Promise<string>;
  /** Writes `rpc_ready` and what follows. @throws when there is no such instance */
  stream(request: Extract<OrchestratorRequest, { type: "rpc_stream" }>, sink: Sink): OpenStream;
}

export interface IpcServerOptions {
  /** Connections that have not asked anything yet; beyond them, the oldest is closed. */
  mostIdle?: number;
  /** How long a connection may take to its request, in ms. */
  requestTimeoutMs?: number;
}

/**
 * Listens on the socket. One request per connection, one answer, then the server closes; `rpc_stream` keeps it.
 * Source: cli-and-config.md section 10.1.
 */
export class IpcServer {
  readonly #handler: RequestHandler;
  readonly #mostIdle: number;
  readonly #requestTimeoutMs: number;
  #server: Server | undefined;
  /** Those that have not asked anything yet, the oldest first. */
  readonly #idle = new Set<Socket>();
  readonly #sockets = new Set<Socket>();

  constructor(handler: RequestHandler, { mostIdle = 256, requestTimeoutMs = 30_000 }: IpcServerOptions = {}) {
    this.#handler = handler;
    this.#mostIdle = mostIdle;
    this.#requestTimeoutMs = requestTimeoutMs;
  }

  async listen(path: string): Promise<void> {
    this.#server = await listenPrivately(path, (socket) => this.#meet(socket));
  }

  /** Nobody new comes in, and whoever is there is sent away. */
  close(): void {
    this.#server?.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #meet(socket: Socket): void {
    this.#sockets.add(socket);
    this.#idle.add(socket);
    for (const oldest of this.#idle) {
      if (this.#idle.size <= this.#mostIdle) break;
      this.#idle.delete(oldest);
      oldest.destroy();
    }
    const timer = setTimeout(() => refuse(socket, "No request came in time."), this.#requestTimeoutMs);
    let stream: OpenStream | undefined;
    let hasAsked = false;
    const lines = new LineSplitter((line) => {
      if (stream) stream.onLine(line);
      else if (!hasAsked) {
        hasAsked = true;
        this.#idle.delete(socket);
        clearTimeout(timer);
        stream = this.#take(line, socket);
      }
    }, longestFrame);
    socket.on("data", (chunk: Buffer) => {
      try {
        lines.push(chunk);
      } catch (error) {
        refuse(socket, (error as Error).message);
      }
    });
    // A client that half closes has said all it wanted, and still reads what it asked for.
    socket.on("end", () => {
      if (stream) void stream.answered().then(() => socket.end());
      else if (!hasAsked) socket.end();
    });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      clearTimeout(timer);
      this.#idle.delete(socket);
      this.#sockets.delete(socket);
      stream?.onClose();
    });
  }

  #take(line: string, socket: Socket): OpenStream | undefined {
    try {
      const request = parseRequest(line);
      if (request.type === "rpc_stream") return this.#handler.stream(request, socketSink(socket));
      this.#handler.answer(request).then(
        (answer) => socket.end(`${answer}\n`),
        (error) => socket.end(`${JSON.stringify(errorAnswer(error))}\n`),
      );
    } catch (error) {
      socket.end(`${JSON.stringify(errorAnswer(error))}\n`);
    }
    return undefined;
  }
}

/** Says why, and does not wait for what else the client may have to say. */
function refuse(socket: Socket, why: string): void {
  socket.pause();
  socket.end(`${JSON.stringify(errorAnswer(new Error(why)))}\n`, () => socket.destroy());
}
