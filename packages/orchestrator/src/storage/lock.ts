import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { isAlive, startTimeOf } from "../process/identity.js";

export interface LockOwner {
  pid: number;
  startTime: string;
  [field: string]: unknown;
}

/**
 * One process holds the lock at a time; that of a process that is gone is taken over.
 * @returns a function that gives it back; undefined when somebody has it
 */
export function takeLock(path: string): (() => void) | undefined {
  const own = `${path}.${process.pid}`;
  writeFileSync(own, JSON.stringify({ pid: process.pid, startTime: startTimeOf(process.pid) }), { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < 10; attempt++) {
      if (linked(own, path)) return () => release(path);
      const owner = readOwner(path);
      if (owner && isAlive(owner.pid, owner.startTime)) return undefined;
      takeAway(path, own, owner);
    }
    return undefined;
  } finally {
    rmSync(own, { force: true });
  }
}

/** Who has the lock; undefined when nobody does. */
export function readOwner(path: string): LockOwner | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as LockOwner;
  } catch {
    return undefined;
  }
}

/** Removes what a dead owner left. Another process may have done so already, and have the lock: it gets it back. */
function takeAway(path: string, own: string, dead: LockOwner | undefined): void {
  const aside = `${own}.old`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  const taken = readOwner(aside);
  if (taken && taken.pid !== dead?.pid && isAlive(taken.pid, taken.startTime)) linked(aside, path);
  rmSync(aside, { force: true });
}

function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function release(path: string): void {
  if (readOwner(path)?.pid === process.pid) rmSync(path, { force: true });
}
