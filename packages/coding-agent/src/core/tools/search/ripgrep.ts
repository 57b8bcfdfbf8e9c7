/**
 * The search program: which one, and running it. Nothing is ever downloaded.
 */
import { access, constants } from "node:fs/promises";
import { join } from "node:path";
import { getBinDir } from "../../process/environment.js";
import { findOnPath } from "../../process/shell.js";
import { type StreamProcessResult, streamProcess } from "../../process/stream-process.js";

const PROGRAM = process.platform === "win32" ? "rg.exe" : "rg";

/**
 * Path of ripgrep: the one that came with this package, else the agent's own, else the first on PATH; undefined when
 * there is none.
 */
export async function findRipgrep(): Promise<string | undefined> {
  for (const candidate of [await packagedRipgrep(), join(getBinDir(), PROGRAM)]) {
    if (candidate && (await isExecutable(candidate))) return candidate;
  }
  return findOnPath(PROGRAM);
}

/** The package throws when it has no program for this platform. */
async function packagedRipgrep(): Promise<string | undefined> {
  try {
    return (await import("@vscode/ripgrep")).rgPath;
  } catch {
    return undefined;
  }
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Ripgrep could not be started: not made for this machine, or not to be executed. */
export class RipgrepStartError extends Error {}

/**
 * Runs ripgrep in a directory and hands out its stdout.
 *
 * @throws RipgrepStartError `Failed to run ripgrep: <message>`; Error of its stderr when it failed; `Operation aborted`
 */
export async function runRipgrep(
  program: string,
  args: readonly string[],
  cwd: string,
  signal: AbortSignal | undefined,
  onStdout: (chunk: Buffer) => "continue" | "stop",
): Promise<void> {
  let result: StreamProcessResult;
  try {
    result = await streamProcess(program, args, { cwd, signal, onStdout });
  } catch (error) {
    if (signal?.aborted) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new RipgrepStartError(`Failed to run ripgrep: ${message}`, { cause: error });
  }
  const { exitCode, stderr, stopped } = result;
  // 1 means that nothing was found.
  if (stopped || exitCode === 0 || exitCode === 1) return;
  throw new Error(stderr.trim() || `ripgrep exited with code ${exitCode}`);
}
