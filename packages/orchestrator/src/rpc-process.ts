import { headOf } from "./agent-protocol.js";
import type { AgentExit, AgentProcess, HolderStart, HolderState } from "./holder/protocol.js";
import { connectTo, type Socket } from "./ipc/socket.js";
import { LineSplitter } from "./lines.js";

export interface RpcProcessEvents {
  /** A record of the agent; empty when it was the answer to a request of this supervisor. */
  onRecord(seq: number, line: string): void;
  /** The process has ended; `onExit` follows. */
  onGone(): void;
  /** Once: nothing more comes from the agent. `lost`: its holder is gone, and with it what the agent's end was. */
  onExit(exit: AgentExit | "lost"): void;
}

/** The agent ended, or did not answer in time. */
export class AgentUnreachableError extends Error {
  override name = "AgentUnreachableError";
  readonly code = "agent_unreachable";
}

interface Pending {
  resolve(line: string): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout | undefined;
}

/** Requests of different supervisors to the same agent must not be taken for each other. */
const nonce = `${process.pid.toString(36)}${Date.now().toString(36)}`;
let lastRequest = 0;

/** One agent seen from the supervisor: records in and out through its holder. */
export class RpcProcess {
  readonly #socket: Socket;
  readonly #pending = new Map<string, Pending>();
  #events: RpcProcessEvents | undefined;
  /** What came before anybody listened. */
  #early: (() => void)[] = [];
  #onState: ((state: HolderState) => void) | undefined;
  #onStarted: { resolve(process: AgentProcess): void; reject(error: Error): void } | undefined;
  #isOver = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    const lines = new LineSplitter((line) => this.#hear(line));
    socket.on("data", (chunk: Buffer) => lines.push(chunk));
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#exit("lost"));
  }

  /**
   * Becomes the supervisor of what a holder keeps.
   * @param after number of the last record that is known
   * @throws when the holder is gone, or does not answer in time
   */
  static async attach(
    socketPath: string,
    after: number,
    timeoutMs: number,
  ): Promise<{ process: RpcProcess; state: HolderState }> {
    const process = new RpcProcess(await connectTo(socketPath));
    const timer = setTimeout(() => process.#socket.destroy(), timeoutMs);
    const state = await new Promise<HolderState>((resolve, reject) => {
      process.#onState = resolve;
      process.#socket.once("close", () => reject(new AgentUnreachableError(`The holder at ${socketPath} ended.`)));
      process.#write(`H${JSON.stringify({ after })}`);
    }).finally(() => clearTimeout(timer));
    return { process, state };
  }

  /** What came since `attach` follows at once, in order. */
  listen(events: RpcProcessEvents): void {
    this.#events = events;
    for (const tell of this.#early.splice(0)) tell();
  }

  /** @throws why the agent could not be started; when the holder does not answer in time */
  start(start: HolderStart, timeoutMs: number): Promise<AgentProcess> {
    return new Promise<AgentProcess>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new AgentUnreachableError(`The agent's holder did not start it within ${timeoutMs} ms.`)),
        timeoutMs,
      );
      this.#onStarted = {
        resolve: (agent) => {
          clearTimeout(timer);
          resolve(agent);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      this.#write(`S${JSON.stringify(start)}`);
    });
  }

  send(line: string): void {
    this.#write(`L${line}`);
  }

  /** However often, and by however many supervisors: the agent gets it once. */
  sendOnce(id: string, line: string): void {
    this.#write(`K${id} ${line}`);
  }

  /**
   * Sends a command under an id of its own; resolves with the whole response line.
   * @throws AgentUnreachableError
   */
  request(command: { type: string; [field: string]: unknown }, timeoutMs?: number): Promise<string> {
    const id = `o${nonce}.${++lastRequest}`;
    return new Promise((resolve, reject) => {
      if (this.#isOver) {
        reject(new AgentUnreachableError(`The agent ended before it was asked: ${command.type}.`));
        return;
      }
      const timer =
        timeoutMs === undefined
          ? undefined
          : setTimeout(() => {
              this.#pending.delete(`"${id}"`);
              reject(new AgentUnreachableError(`No response to ${command.type} within ${timeoutMs} ms.`));
            }, timeoutMs);
      this.#pending.set(`"${id}"`, { resolve, reject, timer });
      this.send(JSON.stringify({ ...command, id }));
    });
  }

  endInput(): void {
    this.#write("E");
  }

  terminate(): void {
    this.#write("T");
  }

  kill(): void {
    this.#write("X");
  }

  /** The holder is not needed any more. */
  release(): void {
    this.#isOver = true;
    if (!this.#socket.destroyed) this.#socket.end("Q\n");
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  #write(line: string): void {
    if (!this.#socket.destroyed) this.#socket.write(`${line}\n`);
  }

  #hear(line: string): void {
    switch (line[0]) {
      case "r":
        this.#record(line);
        break;
      case "h":
        this.#onState?.(JSON.parse(line.slice(1)) as HolderState);
        break;
      case "s":
        this.#onStarted?.resolve(JSON.parse(line.slice(1)) as AgentProcess);
        break;
      case "e":
        this.#tell(() => this.#events?.onGone());
        break;
      case "x":
        this.#exit(JSON.parse(line.slice(1)) as AgentExit);
        break;
      default:
        break;
    }
  }

  #record(text: string): void {
    const space = text.indexOf(" ");
    const seq = Number(text.slice(1, space));
    const line = text.slice(space + 1);
    if (line.startsWith('{"id":"o')) {
      const id = headOf(line)?.id;
      const pending = id === undefined ? undefined : this.#pending.get(id);
      if (id !== undefined && pending) {
        this.#pending.delete(id);
        clearTimeout(pending.timer);
        pending.resolve(line);
        this.#tell(() => this.#events?.onRecord(seq, ""));
        return;
      }
    }
    this.#tell(() => this.#events?.onRecord(seq, line));
  }

  #exit(exit: AgentExit | "lost"): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const error = new AgentUnreachableError(
      exit === "lost" ? "The agent's holder ended." : `The agent ended${endText(exit)}.`,
    );
    this.#onStarted?.reject(error);
    for (const { reject, timer } of this.#pending.values()) {
      clearTimeout(timer);
      reject(error);
    }
    this.#pending.clear();
    this.#tell(() => this.#events?.onExit(exit));
  }

  #tell(tell: () => void): void {
    if (this.#events) tell();
    else this.#early.push(tell);
  }
}

/** How an agent ended, for people. */
export function endText({ code, signal, error }: AgentExit): string {
  if (error !== undefined) return `: ${error}`;
  return signal === null ? ` with exit code ${code}` : ` by ${signal}`;
}
