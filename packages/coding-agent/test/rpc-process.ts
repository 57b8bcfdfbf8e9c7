import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { schemaProblem } from "./rpc-schema.js";

/** A record of RPC mode, as tests look at it. */
// biome-ignore lint/suspicious/noExplicitAny: tests look at what is there
export type AnyRecord = Record<string, any>;

/** How long a test waits for a record, in ms. */
const PATIENCE_MS = 20_000;

/** `pi --mode rpc` as a client sees it. Keeps every record and looks for nothing it was not asked for. */
export class RpcProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** Everything stdout said, in order. */
  readonly records: AnyRecord[] = [];
  /** Lines that are no JSON, and records that the published schema does not allow: there must be none. */
  readonly garbage: string[] = [];
  stderr = "";
  readonly exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  #watchers: (() => void)[] = [];
  #nextId = 0;

  constructor(child: ChildProcessWithoutNullStreams) {
    this.child = child;
    this.exit = new Promise((resolve) => child.on("close", (code, signal) => resolve({ code, signal })));
    let rest = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#take(line);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
    void this.exit.then(() => this.#tell());
    // A child that is gone makes writes fail; tests see that by its exit.
    child.stdin.on("error", () => {});
  }

  /** Writes a record, or text as it is. */
  send(record: object | string): void {
    this.child.stdin.write(typeof record === "string" ? record : `${JSON.stringify(record)}\n`);
  }

  /** Sends a command under an id of its own and resolves with its response. */
  async call(type: string, fields: object = {}): Promise<AnyRecord> {
    const id = `t${this.#nextId++}`;
    this.send({ id, type, ...fields });
    return this.until((record) => record["type"] === "response" && record["id"] === id, `response to ${type}`);
  }

  /** As `call`, for commands that must succeed: their `data`. */
  async ok(type: string, fields: object = {}): Promise<AnyRecord> {
    const response = await this.call(type, fields);
    if (!response["success"]) throw new Error(`${type} failed: ${response["error"]}`);
    return response["data"];
  }

  /** Sends a prompt and waits until nothing follows. Returns the events of its run. */
  async run(message: string): Promise<AnyRecord[]> {
    const from = this.records.length;
    await this.ok("prompt", { message });
    await this.settled(from);
    return this.records.slice(from);
  }

  settled(from = 0): Promise<AnyRecord> {
    return this.until((record) => record["type"] === "agent_settled", "agent_settled", from);
  }

  /** The first record from `from` on that fits. */
  async until(fits: (record: AnyRecord) => boolean, what: string, from = 0): Promise<AnyRecord> {
    const end = Date.now() + PATIENCE_MS;
    for (let at = from; ; ) {
      for (; at < this.records.length; at++) {
        const record = this.records[at];
        if (record && fits(record)) return record;
      }
      if (this.child.exitCode !== null || this.child.signalCode !== null || Date.now() > end) {
        throw new Error(`no ${what}; last records: ${JSON.stringify(this.records.slice(-5))}; stderr: ${this.stderr}`);
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 1000);
        this.#watchers.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  async kill(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill("SIGKILL");
    await this.exit;
  }

  #take(line: string): void {
    try {
      const record: AnyRecord = JSON.parse(line);
      this.records.push(record);
      // What the published schema does not allow is as bad as what is no JSON.
      const problem = schemaProblem("RpcRecord", record);
      if (problem) this.garbage.push(problem);
    } catch {
      this.garbage.push(line);
    }
    this.#tell();
  }

  #tell(): void {
    for (const watcher of this.#watchers.splice(0)) watcher();
  }
}
