/** The door to child processes of the orchestrator. */
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { markName } from "./tree.js";

/** A child with three pipes. */
export type PipedChild = ChildProcessWithoutNullStreams;

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

/** Starts the supervisor in the background. */
export function spawnDetached(args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [...args], {
    detached: true,
    stdio: ["ignore", "ignore", "ignore"],
    windowsHide: true,
  });
  child.unref();
  return child;
}
