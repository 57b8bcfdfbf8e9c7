/** The door to child processes of the orchestrator. */
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { markName } from "./tree.js";

/** A child with three pipes. */
export type PipedChild = ChildProcessWithoutNullStreams;

/** Of what a supervisor in the background says on stderr, in bytes. */
const mostSaid = 16 * 1024;

const require = createRequire(import.meta.url);

/** The agents' program, which the sibling package brings. */
export function agentProgram(): string {
  return require.resolve("@earendil-works/pi-coding-agent/rpc-entry");
}

/** Starts the process that will keep an agent's pipes, in a session of its own: it outlives this one. */
export function spawnHolder(socket: string): ChildProcess {
  const script = require.resolve("@earendil-works/pi-orchestrator/holder");
  return spawn(process.execPath, [script, socket], {
    cwd: "/",
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
    windowsHide: true,
  });
}

/** Starts an agent as the leader of a group of its own. */
export function spawnAgent(args: readonly string[], cwd: string, mark: string): PipedChild {
  return spawn(process.execPath, [...args], {
    cwd,
    detached: process.platform !== "win32",
    env: { ...process.env, [markName]: mark },
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
  });
}

/** Starts the supervisor in the background. `said`: what it has written to stderr so far. */
export function spawnDetached(args: readonly string[]): { child: ChildProcess; said(): string } {
  // A file without a name: a pipe would break when this process ends.
  const folder = mkdtempSync(join(tmpdir(), "pi-orchestrator-"));
  const stderr = openSync(join(folder, "stderr"), "w+", 0o600);
  rmSync(folder, { recursive: true, force: true });
  const child = spawn(process.execPath, [...args], {
    detached: true,
    stdio: ["ignore", "ignore", stderr],
    windowsHide: true,
  });
  child.unref();
  return {
    child,
    said() {
      const buffer = Buffer.alloc(mostSaid);
      return buffer.toString("utf8", 0, readSync(stderr, buffer, 0, mostSaid, 0)).trim();
    },
  };
}
