/**
 * Running a program to its end and keeping its output. Source: extensions.md section 4.1 (`exec`).
 */
import { spawn } from "node:child_process";
import { constants as osConstants } from "node:os";
import { trackProcess } from "./tracked-processes.js";

export interface RunProcessOptions {
  cwd?: string | undefined;
  env?: NodeJS.ProcessEnv | undefined;
  signal?: AbortSignal | undefined;
  /** Milliseconds; none by default. */
  timeout?: number | undefined;
  /** Bytes kept of both streams together; default 256 MiB. */
  maxBuffer?: number | undefined;
}

export interface RunProcessResult {
  stdout: string;
  stderr: string;
  /** `128 + n` when ended by signal n; 1 when it could not start, and `stderr` says why. */
  code: number;
  /** It was ended by the signal or the timeout. */
  killed: boolean;
  /** More came than `maxBuffer`; the rest was dropped. */
  truncated: boolean;
}

const DEFAULT_MAX_BUFFER = 256 * 1024 * 1024;
/** Between SIGTERM and SIGKILL. */
const KILL_DELAY_MS = 5000;
/** Children that hold the pipes after the program's end are not waited for longer. */
const CLOSE_WAIT_MS = 1000;

/**
 * Runs a program without a shell and without stdin. Failing to start, an abort and a timeout are results, not errors.
 *
 * @throws RangeError for a `maxBuffer` that is no positive number
 */
export async function runProcess(
  command: string,
  args: readonly string[],
  options: RunProcessOptions = {},
): Promise<RunProcessResult> {
  const { cwd, env, signal, timeout, maxBuffer = DEFAULT_MAX_BUFFER } = options;
  if (!(maxBuffer > 0)) throw new RangeError(`Invalid maxBuffer: ${maxBuffer} is not a positive number of bytes`);
  if (signal?.aborted)
    return { stdout: "", stderr: "", code: 128 + osConstants.signals.SIGTERM, killed: true, truncated: false };
  return new Promise((resolve) => {
    const output = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
    let bytes = 0;
    let truncated = false;
    let killed = false;
    const child = spawn(command, args, {
      ...(cwd !== undefined && { cwd }),
      ...(env && { env }),
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
    });
    const untrack = child.pid === undefined ? () => undefined : trackProcess({ pid: child.pid });
    const timers: NodeJS.Timeout[] = [];
    const kill = () => {
      if (killed) return;
      killed = true;
      child.kill("SIGTERM");
      timers.push(setTimeout(() => child.kill("SIGKILL"), KILL_DELAY_MS));
    };
    if (timeout !== undefined && timeout > 0) timers.push(setTimeout(kill, timeout));
    signal?.addEventListener("abort", kill, { once: true });

    const settle = (code: number, failure = "") => {
      for (const timer of timers) clearTimeout(timer);
      signal?.removeEventListener("abort", kill);
      untrack();
      child.stdout.destroy();
      child.stderr.destroy();
      const text = (chunks: readonly Buffer[]) => Buffer.concat(chunks).toString();
      resolve({ stdout: text(output.stdout), stderr: text(output.stderr) + failure, code, killed, truncated });
    };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].on("data", (chunk: Buffer) => {
        const kept = chunk.subarray(0, maxBuffer - bytes);
        if (kept.length < chunk.length) truncated = true;
        bytes += kept.length;
        output[name].push(kept);
      });
    }
    child.once("error", (error) => settle(1, error.message));
    child.once("exit", (exitCode, exitSignal) => {
      const code = exitCode ?? 128 + (exitSignal ? osConstants.signals[exitSignal] : 0);
      child.once("close", () => settle(code));
      timers.push(setTimeout(() => settle(code), CLOSE_WAIT_MS));
    });
  });
}
