import { type BigIntStats, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";

/**
 * Who holds a lock directory, in a file beside it: lets others take over at once from a process that was killed, where
 * the protocol itself would have them wait until the lock is stale.
 */
interface LockOwner {
  pid: number;
  /** When the process started, as the system counts it; process ids are used again. Empty where it cannot be told. */
  started: string;
  /** Machine and process namespace: ids mean nothing elsewhere. */
  host: string;
  /** Which directory of this name is meant: a later one may belong to somebody who leaves no record. */
  lock: string;
}

/** This process, as a record names it. Asked for before a lock is made: no time must pass between lock and record. */
export function thisProcess(): Omit<LockOwner, "lock"> {
  self ??= { pid: process.pid, started: startOf(process.pid), host: hostIdentity() };
  return self;
}
let self: Omit<LockOwner, "lock"> | undefined;

/** Leaves the record of this process. */
export function recordOwner(lockDir: string, identity: string): void {
  const owner: LockOwner = { ...thisProcess(), lock: identity };
  writeFileSync(recordPath(lockDir), JSON.stringify(owner), { mode: 0o600 });
}

/** Removes the record of a lock that is gone, unless a later one has its own already. */
export function forgetOwner(lockDir: string, identity: string): void {
  const owner = readOwner(lockDir);
  if (owner?.lock === identity) rmSync(recordPath(lockDir), { force: true });
}

/** True when the record says that the holder of exactly this directory was on this machine and is no more. */
export function isOwnerGone(lockDir: string, stats: BigIntStats): boolean {
  const owner = readOwner(lockDir);
  if (owner?.lock !== lockIdentity(stats) || owner.host !== hostIdentity()) return false;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
  const started = startOf(owner.pid);
  return started !== "" && owner.started !== "" && started !== owner.started;
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

function startOf(pid: number): string {
  try {
    // After the command name, which may hold anything, the start time is the 20th field.
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}

let host: string | undefined;

function hostIdentity(): string {
  host ??= `${hostname()} ${linkTarget("/proc/self/ns/pid")}`;
  return host;
}

function linkTarget(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
