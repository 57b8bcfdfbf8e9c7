// A bare client of `--mode rpc`: spends as little as it can, so that figures are the program's.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

export class RpcProcess {
  /** Bytes of records so far. */
  bytes = 0;
  #rest = "";
  /** @type {{ id: string, resolve: (line: string) => void, reject: (error: Error) => void } | undefined} */
  #waiting;
  /** @type {((line: string) => void) | undefined} */
  onLine;
  #lastId = 0;
  stderr = "";

  /**
   * @param {string[]} command
   * @param {string[]} args
   * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
   */
  constructor(command, args, options) {
    const [program = "", ...first] = command;
    this.started = performance.now();
    this.child = spawn(program, [...first, "--mode", "rpc", ...args], { ...options, stdio: ["pipe", "pipe", "pipe"] });
    this.exited = new Promise((resolve) => this.child.on("close", resolve));
    this.child.stderr.on("data", (chunk) => (this.stderr += chunk));
    this.child.stdout.setEncoding("latin1").on("data", (/** @type {string} */ chunk) => this.#take(chunk));
    void this.exited.then(() => this.#waiting?.reject(new Error(`ended: ${this.stderr}`)));
  }

  /**
   * The line of the response, unparsed, and how long it took in ms.
   * @param {string} type
   * @param {object} [fields]
   * @returns {Promise<{ line: string, ms: number }>}
   */
  call(type, fields = {}) {
    const id = `b${this.#lastId++}`;
    const from = performance.now();
    this.child.stdin.write(`${JSON.stringify({ id, type, ...fields })}\n`);
    return new Promise((resolve, reject) => {
      this.#waiting = { id, resolve: (line) => resolve({ line, ms: performance.now() - from }), reject };
    });
  }

  /** @returns {{ cpuMs: number, peakMb: number, nowMb: number }} what the process took so far; Linux only */
  usage() {
    const fields = readFileSync(`/proc/${this.child.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    const status = readFileSync(`/proc/${this.child.pid}/status`, "utf8");
    const mb = (/** @type {string} */ name) =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) / 1024;
    return { cpuMs: (Number(fields[11]) + Number(fields[12])) * 10, peakMb: mb("VmHWM"), nowMb: mb("VmRSS") };
  }

  async end() {
    this.child.stdin.end();
    await this.exited;
  }

  /** @param {string} chunk */
  #take(chunk) {
    this.bytes += chunk.length;
    const at = chunk.lastIndexOf("\n");
    if (at < 0) {
      this.#rest += chunk;
      return;
    }
    const text = this.#rest + chunk.slice(0, at);
    this.#rest = chunk.slice(at + 1);
    for (const line of text.split("\n")) {
      this.onLine?.(line);
      const waiting = this.#waiting;
      // Key order is free: the beginning and the end of a line are looked at.
      if (waiting && line.includes(`"${waiting.id}"`) && line.includes('"response"')) {
        this.#waiting = undefined;
        waiting.resolve(line);
      }
    }
  }
}
