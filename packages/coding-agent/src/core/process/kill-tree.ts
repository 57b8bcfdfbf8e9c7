/**
 * Ending a command with everything it started.
 */
import { spawn } from "node:child_process";
import { nextScan, ProcessScan } from "./process-scan.js";
import { type ProcessEntry, processesOf } from "./process-table.js";

/**
 * A command: the process that leads its group, and what everything it starts inherits. Daemons have left their parent,
 * group and session; they are found by what they have not thrown away.
 */
export interface ProcessTree {
  readonly pid: number;
  /** Unique text in the environment. */
  readonly mark?: string | undefined;
  /** Pipes that nobody else writes to, as `outputsOf` names them. */
  readonly outputs?: readonly string[] | undefined;
}

/** How long processes may clean up after SIGTERM, in ms. */
export const TERMINATION_GRACE_MS = 400;
const KILL_WAIT_MS = 2000;
const POLL_MS = 20;

/**
 * Ends a process that leads its own group, with all its descendants, also those in other groups and sessions:
 * SIGTERM, and after a short grace SIGKILL. Resolves when all are dead (or nothing more can be done).
 */
export async function killTree(tree: ProcessTree): Promise<void> {
  if (process.platform === "win32") return taskkill(tree.pid);
  let targets = signalTree(tree, "SIGTERM", [], await nextScan());
  if (await waitForEnd(tree.pid, targets, TERMINATION_GRACE_MS)) return;
  freeze(tree);
  targets = signalTree(tree, "SIGKILL", targets, await nextScan());
  await waitForEnd(tree.pid, targets, KILL_WAIT_MS);
}

/** The same at once and without waiting, for the exit of the program. */
export function killTreesNow(trees: readonly ProcessTree[]): void {
  if (trees.length === 0) return;
  if (process.platform === "win32") {
    for (const { pid } of trees) {
      spawn("taskkill", taskkillArgs(pid), { stdio: "ignore", windowsHide: true }).on("error", () => undefined);
    }
    return;
  }
  for (const tree of trees) freeze(tree);
  const scan = new ProcessScan();
  for (const tree of trees) signalTree(tree, "SIGKILL", [], scan);
}

/** macOS: stopped processes cannot start others while the rest is looked up. */
function freeze({ pid }: ProcessTree): void {
  if (process.platform === "darwin") send(-pid, "SIGSTOP");
}

/** Signals the group and every process outside it; returns what was found, `known` ones that still live included. */
function signalTree(
  { pid, mark, outputs = [] }: ProcessTree,
  signal: NodeJS.Signals,
  known: readonly ProcessEntry[],
  scan: ProcessScan,
): ProcessEntry[] {
  const { table } = scan;
  const found = new Map(processesOf(pid, table).map((entry) => [entry.pid, entry]));
  const marked = mark === undefined ? [] : scan.marked(mark);
  for (const entry of [...stillAlive(known, table), ...marked, ...scan.writingTo(outputs)]) {
    found.set(entry.pid, entry);
    // A parent that ended has given its children away, but they carry its group.
    for (const child of processesOf(entry.pid, table)) found.set(child.pid, child);
  }
  found.delete(process.pid);
  send(-pid, signal);
  for (const entry of found.values()) {
    if (entry.group !== pid) send(entry.pid, signal);
  }
  return [...found.values()];
}

async function waitForEnd(pid: number, targets: readonly ProcessEntry[], ms: number): Promise<boolean> {
  const deadline = performance.now() + ms;
  for (;;) {
    const started = performance.now();
    if (!isAlive(pid, targets, (await nextScan()).table)) return true;
    const now = performance.now();
    if (now >= deadline) return false;
    // Looking at many processes takes time that others need too.
    const pause = Math.max(POLL_MS, 3 * (now - started));
    await new Promise((resolve) => setTimeout(resolve, Math.min(pause, deadline - now)));
  }
}

function isAlive(pid: number, targets: readonly ProcessEntry[], table: readonly ProcessEntry[]): boolean {
  if (table.length === 0) return groupExists(pid);
  return stillAlive(targets, table).length > 0 || processesOf(pid, table).some((entry) => !entry.zombie);
}

/** For systems that show no processes. */
function groupExists(pid: number): boolean {
  try {
    process.kill(-pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function stillAlive(known: readonly ProcessEntry[], table: readonly ProcessEntry[]): ProcessEntry[] {
  const now = new Map(table.map((entry) => [entry.pid, entry]));
  return known.filter((entry) => {
    const current = now.get(entry.pid);
    return current !== undefined && current.started === entry.started && !current.zombie;
  });
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Already gone, or not ours: nothing more can be done either way.
  }
}

function taskkillArgs(pid: number): string[] {
  return ["/F", "/T", "/PID", String(pid)];
}

function taskkill(pid: number): Promise<void> {
  return new Promise((resolve) => {
    spawn("taskkill", taskkillArgs(pid), { stdio: "ignore", windowsHide: true })
      .on("error", () => resolve())
      .on("exit", () => resolve());
  });
}
