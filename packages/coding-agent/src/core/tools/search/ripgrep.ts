/**
 * The search program: which one, and running it. Nothing is ever downloaded.
 */
import { access, constants } from "node:fs/promises";
import { join, sep } from "node:path";
import { getBinDir } from "../../process/environment.js";
import { findOnPath } from "../../process/shell.js";
import { type StreamProcessResult, streamProcess } from "../../process/stream-process.js";

const PROGRAM = process.platform === "win32" ? "rg.exe" : "rg";

/**
 * Path of ripgrep: the one that came with this package, else the agent's own, else the first on PATH.
 *
 * @throws Error when there is none
 */
export async function findRipgrep(): Promise<string> {
  for (const candidate of [await packagedRipgrep(), join(getBinDir(), PROGRAM)]) {
    if (candidate && (await isExecutable(candidate))) return candidate;
  }
  const onPath = findOnPath(PROGRAM);
  if (onPath) return onPath;
  throw new Error(
    `ripgrep (rg) is not available and could not be downloaded. Install ripgrep, or put ${PROGRAM} into ${getBinDir()}.`,
  );
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

/**
 * Runs ripgrep in a directory and hands out its stdout.
 *
 * @throws Error `Failed to run ripgrep: <message>`; its stderr when it failed; `Operation aborted`
 */
export async function runRipgrep(
  args: readonly string[],
  cwd: string,
  signal: AbortSignal | undefined,
  onStdout: (chunk: Buffer) => "continue" | "stop",
): Promise<void> {
  const program = await findRipgrep();
  let result: StreamProcessResult;
  try {
    result = await streamProcess(program, args, { cwd, signal, onStdout });
  } catch (error) {
    if (signal?.aborted) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`Failed to run ripgrep: ${message}`, { cause: error });
  }
  const { exitCode, stderr, stopped } = result;
  // 1 means that nothing was found.
  if (stopped || exitCode === 0 || exitCode === 1) return;
  throw new Error(stderr.trim() || `ripgrep exited with code ${exitCode}`);
}

/** The repository's own data is no content, unless the search is about it. */
export function excludeGitData(searchPath: string): string[] {
  return searchPath.split(sep).includes(".git") ? [] : ["--glob", "!.git"];
}
