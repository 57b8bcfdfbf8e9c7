import { type BigIntStats, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isProcessGone, type ProcessIdentity, thisProcess } from "./process-identity.js";

/**
 * Who holds a lock directory, in a file beside it: lets others take over at once from a process that was killed, where
 * the protocol itself would have them wait until the lock is stale.
 */
interface LockOwner extends ProcessIdentity {
  /** Which directory of this name is meant: a later one may belong to somebody who leaves no record. */
  lock: string;
}

/** Leaves the record of this process. Where there is no room for it the lock holds without, until it is stale. */
export function recordOwner(lockDir: string, identity: string): void {
  const owner: LockOwner = { ...thisProcess(), lock: identity };
  try {
    writeFileSync(recordPath(lockDir), JSON.stringify(owner), { mode: 0o600 });
  } catch {
    rmSync(recordPath(lockDir), { force: true });
  }
}

/** Removes the record of a lock that is gone, unless a later one has its own already. */
export function forgetOwner(lockDir: string, identity: string): void {
  const owner = readOwner(lockDir);
  if (owner?.lock === identity) rmSync(recordPath(lockDir), { force: true });
}

/** True when the record says that the holder of exactly this directory was on this machine and is no more. */
export function isOwnerGone(lockDir: string, stats: BigIntStats): boolean {
  const owner = readOwner(lockDir);
  return owner?.lock === lockIdentity(stats) && isProcessGone(owner);
}

/** True when the holder of exactly this directory left a record. */
export function hasRecord(lockDir: string, stats: BigIntStats): boolean {
  return readOwner(lockDir)?.lock === lockIdentity(stats);
}

/** Inode numbers are used again at once, so the time of birth belongs to them. */
export function lockIdentity(stats: BigIntStats): string {
  return `${stats.ino}-${stats.birthtimeNs}`;
}

function readOwner(lockDir: string): LockOwner | undefined {
  try {
    return JSON.parse(readFileSync(recordPath(lockDir), "utf8"));
  } catch {
    return undefined;
  }
}

function recordPath(lockDir: string): string {
  return `${lockDir}.owner`;
}
