import { spawn } from "node:child_process";
import { trackProcess } from "./tracked-processes.js";

export interface StreamProcessOptions {
  cwd: string;
  env?: NodeJS.ProcessEnv | undefined;
  /** Ends the process; the promise then rejects with `Operation aborted`. */
  signal?: AbortSignal | undefined;
  /** Takes stdout; `stop` ends the process, because enough was seen. */
  onStdout(chunk: Buffer): "continue" | "stop";
}

export interface StreamProcessResult {
  /** Null when it was ended by a signal. */
  exitCode: number | null;
  /** At most 64 KiB of it. */
  stderr: string;
  /** `onStdout` asked for the end. */
  stopped: boolean;
}

const MAX_STDERR = 64 * 1024;

/**
 * Runs a helper program without a shell and without stdin, and hands out its stdout.
 *
 * @throws the spawn error, or Error `Operation aborted`
 */
export function streamProcess(
  command: string,
  args: readonly string[],
  options: StreamProcessOptions,
): Promise<StreamProcessResult> {
  return new Promise((resolve, reject) => {
    const { signal } = options;
    if (signal?.aborted) {
      reject(new Error("Operation aborted"));
      return;
    }
    const child = spawn(command, args, {
      cwd: options.cwd,
      ...(options.env && { env: options.env }),
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
    });
    const untrack = child.pid === undefined ? () => undefined : trackProcess({ pid: child.pid });
    let stopped = false;
    let stderr = "";
    const kill = () => child.kill("SIGKILL");
    signal?.addEventListener("abort", kill, { once: true });
    const settle = () => {
      signal?.removeEventListener("abort", kill);
      untrack();
    };
    child.stdout.on("data", (chunk: Buffer) => {
      if (stopped || options.onStdout(chunk) === "continue") return;
      stopped = true;
      kill();
    });
    child.stderr.on("data", (chunk: Buffer) => {
      if (stderr.length < MAX_STDERR) stderr += chunk.toString();
    });
    child.once("error", (error) => {
      settle();
      reject(error);
    });
    child.once("close", (exitCode) => {
      settle();
      if (signal?.aborted && !stopped) reject(new Error("Operation aborted"));
      else resolve({ exitCode, stderr, stopped });
    });
  });
}
