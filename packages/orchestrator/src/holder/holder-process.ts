import { existsSync } from "node:fs";
import { listenPrivately, type Server, type Socket } from "../ipc/socket.js";
import { LineSplitter } from "../lines.js";
import { HeldAgent } from "./held-agent.js";
import { dialogPrefix, type HolderHello, type HolderStart, type HolderState } from "./protocol.js";

/** A spare that no supervisor has taken within this time ends, in ms. */
const spareLifeMs = 30_000;
/** How long the end of an agent is remembered for a supervisor that is not there, in ms. */
const exitMemoryMs = 20_000;
/** How often a holder whose socket nobody can reach any more is looked for, in ms. */
const reachableCheckMs = 15_000;
/** What may wait for a supervisor that does not read, in bytes. */
const mostWaiting = 64 * 1024 * 1024;

/** Keeps the pipes of one agent open for whichever supervisor comes. One at a time: the newest. */
export class HolderProcess {
  readonly #socketPath: string;
  #server: Server | undefined;
  #owner: Socket | undefined;
  #agent: HeldAgent | undefined;
  readonly #once = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(socketPath: string) {
    this.#socketPath = socketPath;
  }

  async listen(): Promise<void> {
    this.#server = await listenPrivately(this.#socketPath, (socket) => this.#meet(socket));
    this.#endAfter(spareLifeMs);
    setInterval(() => this.#checkReachable(), reachableCheckMs).unref();
  }

  #meet(socket: Socket): void {
    const lines = new LineSplitter((line) => this.#hear(socket, line));
    socket.on("data", (chunk: Buffer) => lines.push(chunk));
    socket.on("error", () => socket.destroy());
    // A supervisor that was killed leaves a half-open connection, and half a supervisor is none.
    socket.on("end", () => socket.destroy());
    socket.on("close", () => {
      if (this.#owner !== socket) return;
      this.#owner = undefined;
      // Nothing was started yet, and now nobody will ask for it.
      if (!this.#agent) this.#quit();
      else if (this.#agent.exit) this.#endAfter(exitMemoryMs);
    });
  }

  #hear(socket: Socket, line: string): void {
    const rest = line.slice(1);
    if (line[0] === "H") {
      this.#own(socket, JSON.parse(rest) as HolderHello);
      return;
    }
    // A supervisor that was replaced has nothing to say any more.
    if (socket !== this.#owner) return;
    switch (line[0]) {
      case "S":
        this.#start(JSON.parse(rest) as HolderStart);
        break;
      case "L":
        this.#agent?.write(rest);
        break;
      case "K":
        this.#writeOnce(rest);
        break;
      case "E":
        this.#agent?.endInput();
        break;
      case "T":
        this.#agent?.terminate();
        break;
      case "X":
        this.#agent?.kill();
        break;
      case "Q":
        if (!this.#agent || this.#agent.exit) this.#quit();
        break;
      default:
        break;
    }
  }

  #own(socket: Socket, { after }: HolderHello): void {
    const previous = this.#owner;
    this.#owner = socket;
    previous?.destroy();
    clearTimeout(this.#timer);
    const agent = this.#agent;
    const state: HolderState = {
      pid: process.pid,
      ...(agent?.process && { agent: agent.process }),
      ...(agent?.exit && { exit: agent.exit }),
      once: [...this.#once],
      dialogs: agent?.dialogs.all() ?? [],
      firstSeq: agent?.ring.firstSeq ?? 1,
      lastSeq: agent?.ring.lastSeq ?? 0,
    };
    socket.write(`h${JSON.stringify(state)}\n`);
    for (const { seq, line } of agent?.ring.after(after) ?? []) socket.write(`r${seq} ${line}\n`);
    if (agent?.exit) socket.write(`x${JSON.stringify(agent.exit)}\n`);
  }

  #start(start: HolderStart): void {
    if (this.#agent) return;
    this.#agent = new HeldAgent(start, {
      onRecord: ({ seq, line }) => this.#tell(`r${seq} ${line}\n`),
      onGone: () => this.#owner?.write("e\n"),
      onExit: (exit) => {
        if (this.#owner) this.#owner.write(`x${JSON.stringify(exit)}\n`);
        else this.#endAfter(exitMemoryMs);
      },
    });
    if (this.#agent.process) this.#owner?.write(`s${JSON.stringify(this.#agent.process)}\n`);
  }

  /** Records of one chunk go out together. A supervisor that does not read is given up: another may attach. */
  #tell(text: string): void {
    const owner = this.#owner;
    if (!owner) return;
    if (owner.writableLength > mostWaiting) {
      owner.destroy();
      return;
    }
    if (owner.writableCorked === 0) {
      owner.cork();
      process.nextTick(() => owner.uncork());
    }
    owner.write(text);
  }

  #writeOnce(rest: string): void {
    const space = rest.indexOf(" ");
    const id = rest.slice(0, space);
    if (this.#once.has(id) || !this.#agent) return;
    this.#once.add(id);
    if (id.startsWith(dialogPrefix)) this.#agent.dialogs.close(id.slice(dialogPrefix.length));
    this.#agent.write(rest.slice(space + 1));
  }

  /** Its folder was removed: no supervisor will ever come, so the agent must not stay. */
  #checkReachable(): void {
    if (this.#owner || process.platform === "win32" || existsSync(this.#socketPath)) return;
    this.#agent?.kill();
    this.#quit();
  }

  #endAfter(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#quit(), ms);
  }

  #quit(): void {
    // Closing removes the socket's file.
    this.#server?.close();
    process.exit(0);
  }
}
