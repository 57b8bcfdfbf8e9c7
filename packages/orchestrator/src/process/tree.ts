/** Ending an agent with everything it started. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** In the environment of an agent, and so of all it starts: which start of which instance they belong to. */
export const markName = "PI_ORCHESTRATOR_INSTANCE";

/**
 * The mark of one start of an instance. What the marks of all its starts begin with: without `start`.
 * @param place which state folder: instances of others may have the same id
 */
export function markOf(place: string, id: string, start?: string): string {
  return start === undefined ? `${id}:${place}:` : `${id}:${place}:${start};`;
}

/**
 * Kills the process group that `pid` leads and all it started: on Linux what bears the mark, which daemons keep, elsewhere
 * its descendants.
 */
export function killTree(pid: number | undefined, mark: string): void {
  if (process.platform === "win32") {
    if (pid !== undefined) spawnSync("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore" });
    return;
  }
  // Twice: a process that was just starting another one when it was looked for.
  for (let round = 0; round < 2; round++) {
    const found = new Set([
      ...markedProcesses(mark),
      ...(pid === undefined || process.platform === "linux" ? [] : descendantsOf(pid)),
    ]);
    if (pid !== undefined) kill(-pid);
    for (const other of found) kill(other);
    if (found.size === 0) break;
  }
}

/** Ids of the processes whose mark begins so. Only where `/proc` tells environments. */
export function markedProcesses(mark: string, among: readonly number[] = processIds()): number[] {
  const wanted = `${markName}=${mark}`;
  return among.filter((pid) => {
    if (pid === process.pid) return false;
    try {
      return readFileSync(`/proc/${pid}/environ`, "latin1")
        .split("\0")
        .some((text) => text.startsWith(wanted));
    } catch {
      return false;
    }
  });
}

/** Whether a process is what its mark says; true where environments are not told. */
export function bearsMark(pid: number, mark: string): boolean {
  return process.platform !== "linux" || markedProcesses(mark, [pid]).length > 0;
}

function processIds(): number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function descendantsOf(root: number): number[] {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  const children = new Map<number, number[]>();
  for (const line of (stdout ?? "").split("\n")) {
    const [pid, parent] = line.trim().split(/\s+/).map(Number);
    if (pid === undefined || parent === undefined) continue;
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const found: number[] = [];
  for (let queue = [root]; queue.length > 0; ) {
    const next = queue.flatMap((pid) => children.get(pid) ?? []);
    found.push(...next);
    queue = next;
  }
  return found;
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Gone already.
  }
}
