import { LineSplitter } from "../lines.js";
import { defaultStateFolder, statePaths } from "../paths.js";
import type { ErrorAnswer, OrchestratorRequest, OrchestratorResults } from "../types.js";
import { connectTo, type Socket } from "./socket.js";

/** The orchestrator is not there, or refused. */
export class OrchestratorError extends Error {
  override name = "OrchestratorError";

  constructor(
    readonly code: "not_running" | "refused" | "disconnected",
    message: string,
  ) {
    super(message);
  }
}

type Fields<Type extends OrchestratorRequest["type"]> = Omit<Extract<OrchestratorRequest, { type: Type }>, "type">;

/** A connection that carries records both ways. */
export interface OrchestratorStream {
  /** Sends a command of the agent, or the answer to a dialog. */
  send(record: object): void;
  /** The same, as a line. */
  sendLine(line: string): void;
  close(): void;
  /** Resolves when it is over. */
  readonly closed: Promise<void>;
}

/** Talks to the orchestrator of a state folder: one connection per request. */
export class OrchestratorClient {
  readonly #socketPath: string;

  /** @param folder state folder; default as for `pi-orchestrator` */
  constructor(folder: string = defaultStateFolder()) {
    this.#socketPath = statePaths(folder).socket;
  }

  /** @throws OrchestratorError with what the orchestrator says when it refuses */
  async call<Type extends Exclude<OrchestratorRequest["type"], "rpc_stream">>(
    type: Type,
    fields: Fields<Type>,
  ): Promise<OrchestratorResults[Type]> {
    const answer = await this.ask({ type, ...fields });
    if (!answer.ok) throw new OrchestratorError("refused", answer.error);
    return answer as OrchestratorResults[Type];
  }

  /** The answer, also when it is a refusal. @throws OrchestratorError when there is none */
  async ask(request: object): Promise<OrchestratorResults[keyof OrchestratorResults] | ErrorAnswer> {
    const socket = await this.#connect();
    return new Promise((resolve, reject) => {
      const lines = new LineSplitter((line) => {
        resolve(JSON.parse(line));
        socket.destroy();
      });
      socket.on("data", (chunk: Buffer) => lines.push(chunk));
      socket.on("error", () => socket.destroy());
      socket.on("close", () =>
        reject(new OrchestratorError("disconnected", "The orchestrator ended before it answered.")),
      );
      socket.write(`${JSON.stringify(request)}\n`);
    });
  }

  /**
   * Follows an instance.
   * @param cursor as in `rpc_stream`; undefined: the agent's records as they are
   * @param onFrame gets whole lines, `rpc_ready` not among them
   */
  async stream(
    instanceId: string,
    cursor: string | undefined,
    onFrame: (line: string) => void,
  ): Promise<OrchestratorStream> {
    const socket = await this.#connect();
    const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
    socket.on("error", () => socket.destroy());
    await new Promise<void>((resolve, reject) => {
      let isReady = false;
      const lines = new LineSplitter((line) => {
        if (isReady) onFrame(line);
        else if (line.startsWith('{"type":"rpc_ready"')) {
          isReady = true;
          resolve();
        } else if (line.startsWith('{"type":"error"')) {
          reject(new OrchestratorError("refused", (JSON.parse(line) as ErrorAnswer).error));
        } else onFrame(line);
      });
      socket.on("data", (chunk: Buffer) => lines.push(chunk));
      void closed.then(() => reject(new OrchestratorError("disconnected", "The orchestrator ended.")));
      socket.write(`${JSON.stringify({ type: "rpc_stream", instanceId, ...(cursor !== undefined && { cursor }) })}\n`);
    });
    return {
      send: (record) => void socket.write(`${JSON.stringify(record)}\n`),
      sendLine: (line) => void socket.write(`${line}\n`),
      close: () => socket.end(),
      closed,
    };
  }

  async #connect(): Promise<Socket> {
    try {
      return await connectTo(this.#socketPath);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === "ENOENT" || code === "ECONNREFUSED") {
        throw new OrchestratorError(
          "not_running",
          `No orchestrator at ${this.#socketPath}. Start one: pi-orchestrator serve --detach`,
        );
      }
      throw new OrchestratorError("not_running", `The orchestrator cannot be reached: ${message}`);
    }
  }
}
