import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";

/** A child with three pipes. */
export type PipedChild = ChildProcessWithoutNullStreams;

/** Runs a script with this Node and three pipes. `env` is added to the environment of this process. */
export function spawnNode(
  args: readonly string[],
  { cwd, env }: { cwd?: string | undefined; env?: Record<string, string> | undefined },
): PipedChild {
  return spawn(process.execPath, [...args], {
    ...(cwd !== undefined && { cwd }),
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
}
