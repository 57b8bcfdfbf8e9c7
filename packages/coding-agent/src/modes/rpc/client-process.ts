import { type PipedChild, spawnNode } from "../../core/process/spawn-node.js";
import { passOnStderr } from "../output.js";
import { RecordReader } from "./record-reader.js";

/** A child that cannot start ends within this time, in ms. */
const START_GRACE_MS = 100;
const STOP_GRACE_MS = 1000;

export interface ClientProcessOptions {
  /** The script and its arguments. */
  args: string[];
  cwd?: string | undefined;
  env?: Record<string, string> | undefined;
  onRecord(record: Record<string, unknown>): void;
  /** Once, when nothing more can be expected of the child. */
  onEnd(error: Error): void;
}

/** The child of an `RpcClient`: records in and out, its stderr, and how it ended. */
export class ClientProcess {
  /** All of it; also copied to the stderr of this process. */
  stderr = "";
  readonly #child: PipedChild;
  readonly #exited: Promise<void>;
  readonly #onEnd: (error: Error) => void;
  #failure: Error | undefined;
  #isStopping = false;

  constructor({ args, cwd, env, onRecord, onEnd }: ClientProcessOptions) {
    this.#onEnd = onEnd;
    this.#child = spawnNode(args, { cwd, env });
    const reader = new RecordReader((line) => {
      const record = parsed(line);
      if (record && !this.#isStopping) onRecord(record);
    });
    this.#child.stdout.on("data", (chunk: Buffer) => reader.push(chunk));
    this.#child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
      passOnStderr(text);
    });
    this.#child.stdin.on("error", (error) => this.#fail(`Agent process stdin error: ${error.message}`));
    this.#exited = new Promise((resolve) => {
      this.#child.on("error", (error) => {
        this.#fail(`Agent process error: ${error.message}`);
        resolve();
      });
      // All output has been read by then: what the child said last is part of the error.
      this.#child.on("close", (code, signal) => {
        reader.end();
        this.#fail(`Agent process exited (code=${code} signal=${signal})`);
        resolve();
      });
    });
  }

  /** @throws how the child ended, when it did at once */
  async started(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([
      this.#exited,
      new Promise<void>((resolve) => {
        timer = setTimeout(resolve, START_GRACE_MS);
      }),
    ]);
    clearTimeout(timer);
    this.assertAlive();
  }

  /** @throws how it ended */
  assertAlive(): void {
    if (this.#failure) throw this.#failure;
    if (!this.#child.stdin.writable) throw new Error(`Agent process stdin is not writable. Stderr: ${this.stderr}`);
  }

  write(record: object): void {
    this.#child.stdin.write(`${JSON.stringify(record)}\n`);
  }

  /** Asks it to end, and forces it when it does not. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#child.kill("SIGTERM");
    const force = setTimeout(() => this.#child.kill("SIGKILL"), STOP_GRACE_MS);
    await this.#exited;
    clearTimeout(force);
  }

  #fail(text: string): void {
    if (this.#failure) return;
    this.#failure = new Error(`${text}. Stderr: ${this.stderr}`);
    if (!this.#isStopping) this.#onEnd(this.#failure);
  }
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    // Something printed to stdout before the protocol took it over.
    return undefined;
  }
}
