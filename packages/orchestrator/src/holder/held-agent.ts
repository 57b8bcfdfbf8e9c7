import { LineSplitter } from "../lines.js";
import { OpenDialogs } from "../open-dialogs.js";
import { startTimeOf } from "../process/identity.js";
import { type PipedChild, spawnAgent } from "../process/spawn.js";
import { killTree } from "../process/tree.js";
import { BoundedLog } from "../storage/bounded-log.js";
import { LiveRing, type NumberedLine } from "../streams/live-ring.js";
import { type AgentExit, type AgentProcess, type HolderStart, ringLimit } from "./protocol.js";

export interface HeldAgentEvents {
  onRecord(record: NumberedLine): void;
  /** Its process has ended; its last records, and the end of what it started, are still to come. */
  onGone(): void;
  /** Once, after the last record, when nothing that it started is left either. */
  onExit(exit: AgentExit): void;
}

/** An agent with its pipes. Its output is always read, so that it never waits for a supervisor. */
export class HeldAgent {
  readonly ring = new LiveRing(ringLimit);
  /** Answers of supervisors that are gone, and times that are over, are known here alone. */
  readonly dialogs = new OpenDialogs();
  readonly process: AgentProcess | undefined;
  exit: AgentExit | undefined;
  readonly #child: PipedChild;
  readonly #mark: string;
  readonly #events: HeldAgentEvents;

  constructor({ args, cwd, mark, stderr }: HolderStart, events: HeldAgentEvents) {
    this.#mark = mark;
    this.#events = events;
    this.#child = spawnAgent(args, cwd, mark);
    const { pid, stdin, stdout } = this.#child;
    if (pid !== undefined) this.process = { pid, startTime: startTimeOf(pid) };
    const log = new BoundedLog(stderr);
    const lines = new LineSplitter((line) => {
      if (line.startsWith('{"type":"extension_ui_request"')) this.dialogs.take(line);
      events.onRecord(this.ring.add(line));
    });
    stdout.on("data", (chunk: Buffer) => lines.push(chunk));
    this.#child.stderr.on("data", (chunk: Buffer) => log.write(chunk));
    // An agent that is gone makes writes fail; its exit says so.
    stdin.on("error", () => {});
    this.#child.on("error", (error) => this.#end({ code: null, signal: null, error: error.message }));
    // What it started may have inherited its pipes and hold them open: the end of the process is what counts.
    this.#child.on("exit", (code, signal) => {
      events.onGone();
      killTree(pid, mark);
      const end = () => this.#end({ code, signal });
      this.#child.once("close", end);
      setTimeout(end, 300).unref();
    });
  }

  write(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  endInput(): void {
    this.#child.stdin.end();
  }

  terminate(): void {
    this.#child.kill("SIGTERM");
  }

  kill(): void {
    killTree(this.#child.pid, this.#mark);
    this.#child.kill("SIGKILL");
  }

  #end(exit: AgentExit): void {
    if (this.exit) return;
    this.exit = exit;
    this.#events.onExit(exit);
  }
}
