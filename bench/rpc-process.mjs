// A bare client of `--mode rpc`: spends as little as it can, so that figures are the program's.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

export class RpcProcess {
  /** Bytes of records so far. */
  bytes = 0;
  /** @type {Buffer[]} */
  #pieces = [];
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
    this.child.stdout.on("data", (/** @type {Buffer} */ chunk) => this.#take(chunk));
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

  /** @param {Buffer} chunk */
  #take(chunk) {
    this.bytes += chunk.length;
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      this.#pieces.push(chunk.subarray(start, end));
      start = end + 1;
      const line = brief(this.#pieces);
      this.#pieces = [];
      this.onLine?.(line);
      const waiting = this.#waiting;
      if (waiting && line.includes(`"${waiting.id}"`) && line.includes('"response"')) {
        this.#waiting = undefined;
        waiting.resolve(line);
      }
    }
    if (start < chunk.length) this.#pieces.push(chunk.subarray(start));
  }
}

/**
 * A line as text; of a huge one the beginning and the end, where the envelope stands.
 * @param {Buffer[]} pieces
 */
function brief(pieces) {
  const [first] = pieces;
  const last = pieces.at(-1);
  if (!first || !last) return "";
  if (pieces.length < 4) return Buffer.concat(pieces).toString("latin1");
  return first.toString("latin1", 0, 1000) + last.toString("latin1", Math.max(0, last.length - 1000));
}
