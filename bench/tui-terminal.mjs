// The program in a pseudo-terminal that measures instead of showing.
import { readFileSync } from "node:fs";
import { spawn } from "@lydell/node-pty";

/** A terminal's answer to what programs ask at the start: it is an xterm with the usual colours. */
const ATTRIBUTES = "\x1b[?62;22c";

export class BenchTerminal {
  /** Bytes so far. */
  bytes = 0;
  /** @type {(() => void) | undefined} */
  #wake;
  #tail = "";
  #started = performance.now();

  /**
   * @param {string[]} command
   * @param {{ cwd: string, env: NodeJS.ProcessEnv }} place
   */
  constructor([program = "", ...args], { cwd, env }) {
    this.child = spawn(program, args, { cols: 100, rows: 30, cwd, env: { ...env, TERM: "xterm-256color" } });
    this.exited = new Promise((resolve) => this.child.onExit(resolve));
    this.child.onData((data) => {
      this.bytes += Buffer.byteLength(data);
      this.#tail = (this.#tail + data).slice(-100_000);
      if (data.includes("\x1b[c")) this.child.write(ATTRIBUTES);
      this.#wake?.();
    });
  }

  /**
   * Waits until a text has come since the last call. Returns the ms since then.
   * @param {string} text
   */
  async until(text, ms = 20_000) {
    const end = performance.now() + ms;
    while (!this.#tail.includes(text)) {
      if (performance.now() > end) throw new Error(`never came: ${text}\n${JSON.stringify(this.#tail.slice(-300))}`);
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, 100);
        this.#wake = () => {
          clearTimeout(timer);
          resolve(undefined);
        };
      });
    }
    const took = performance.now() - this.#started;
    this.mark();
    return took;
  }

  /** Forgets what came; time counts from here. */
  mark() {
    this.#tail = "";
    this.#started = performance.now();
  }

  /** @param {string} text */
  write(text) {
    this.mark();
    this.child.write(text);
  }

  /** Waits until nothing has come for a while. */
  async quiet(ms = 300) {
    for (let before = -1; before !== this.bytes; ) {
      before = this.bytes;
      await sleep(ms);
    }
    this.mark();
  }

  /** Resident memory in MB, now. Linux only. */
  memory() {
    const kb = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${this.child.pid}/status`, "utf8"))?.[1];
    return Number(kb) / 1024;
  }

  /** CPU time so far in ms. Linux only. */
  cpu() {
    const fields = readFileSync(`/proc/${this.child.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    // Clock ticks, a hundred a second: user and system time.
    return (Number(fields[11]) + Number(fields[12])) * 10;
  }

  async end() {
    this.child.kill("SIGKILL");
    await this.exited;
  }
}

/** @param {number} ms */
export function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
