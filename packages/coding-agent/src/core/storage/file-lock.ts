import {
  type BigIntStats,
  mkdirSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { releaseAtEnd, trackFileWork } from "./at-end.js";
import { isMissing } from "./files.js";
import { forgetOwner, hasRecord, isOwnerGone, lockIdentity, recordOwner } from "./lock-owner.js";
import { thisProcess } from "./process-identity.js";

/**
 * Locks that other programs understand: an empty directory `<file>.lock`, made to lock and removed to unlock, taken
 * for abandoned when its modification time is older than `staleMs` (the protocol of proper-lockfile).
 * Source: llm.md section 11.3, cli-and-config.md section 4.1.
 */
export interface FileLockOptions {
  /** Age at which a lock counts as abandoned, in ms: 30000 for credentials, 10000 for settings. */
  staleMs: number;
  signal?: AbortSignal | undefined;
}

export interface HeldLock {
  /** @throws LockError `compromised` when somebody took the lock away: nothing may be written then */
  assertHeld(): void;
}

export class LockError extends Error {
  override name = "LockError";

  constructor(
    readonly code: "locked" | "compromised",
    message: string,
  ) {
    super(message);
  }
}

/** Waits between two attempts, in ms: 10, 20, 40, ... with jitter. */
const FIRST_WAIT_MS = 10;
const MAX_WAIT_MS = 500;
/** A wait must outlast a lock that its holder left behind: by so much, in ms. */
export const lockPatienceMs = 10_000;
/** Longest wait for a lock that goes from hand to hand: it is free again and again, only others are faster. */
const MAX_PATIENCE_MS = 120_000;
/** Longest time that taking a lock away needs, with a margin for a machine that is busy. */
const BREAK_GUARD_STALE_MS = 5000;

/**
 * Runs `work` while holding the lock of `path`, which need not exist; its folder must. The lock is held until `work`
 * has ended.
 * @throws LockError `locked` when the lock does not come free, and what `work` throws
 */
export async function withFileLock<T>(
  path: string,
  options: FileLockOptions,
  work: (lock: HeldLock) => Promise<T>,
): Promise<T> {
  const lockDir = `${realPath(path)}.lock`;
  const identity = await acquire(lockDir, options);
  const isHeld = (): boolean => {
    const stats = statOf(lockDir);
    return stats !== undefined && lockIdentity(stats) === identity;
  };
  const refresh = setInterval(() => {
    if (isHeld()) touch(lockDir);
  }, options.staleMs / 3);
  refresh.unref();
  const release = (): void => {
    clearInterval(refresh);
    if (isHeld()) remove(lockDir, identity);
  };
  const released = releaseAtEnd(release);
  try {
    const running = work({
      assertHeld() {
        if (!isHeld()) throw new LockError("compromised", `The lock of ${path} was taken away; nothing was written.`);
      },
    });
    return await trackFileWork(running);
  } finally {
    released();
    release();
  }
}

/** The file itself where a link leads to it: writers through different links must meet. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
    return join(realpathSync(dirname(path)), basename(path));
  }
}

/**
 * Whether another program may be in the middle of writing the file. Who leaves a record of himself beside the lock writes
 * in one step, as this program does: what is there meanwhile is whole.
 */
export function isLockedByOthers(path: string, staleMs: number): boolean {
  const lockDir = `${realPath(path)}.lock`;
  const stats = statOf(lockDir);
  return stats !== undefined && !hasRecord(lockDir, stats) && Date.now() - Number(stats.mtimeMs) <= staleMs;
}

async function acquire(lockDir: string, { staleMs, signal }: FileLockOptions): Promise<string> {
  // Asked for before the lock is made: no time must pass between lock and record.
  thisProcess();
  const last = Date.now() + staleMs + MAX_PATIENCE_MS;
  let end = 0;
  let holder: string | undefined;
  for (let attempt = 0; ; attempt++) {
    signal?.throwIfAborted();
    const identity = tryAcquire(lockDir, staleMs);
    if (identity !== undefined) return identity;
    const now = Date.now();
    const stats = statOf(lockDir);
    const found = stats && lockIdentity(stats);
    if (attempt === 0 || found !== holder) end = Math.min(last, now + staleMs + lockPatienceMs);
    holder = found;
    if (now > end) {
      throw new LockError("locked", `${lockDir} is held by another process. Remove it if no other pi is running.`);
    }
    const wait = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(attempt, 8));
    await sleep(wait * (0.5 + Math.random()), undefined, signal && { signal });
  }
}

function tryAcquire(lockDir: string, staleMs: number): string | undefined {
  if (!make(lockDir) && !(isAbandoned(lockDir, staleMs) && breakLock(lockDir, staleMs) && make(lockDir))) {
    return undefined;
  }
  const identity = lockIdentity(statSync(lockDir, { bigint: true }));
  recordOwner(lockDir, identity);
  return identity;
}

function make(dir: string): boolean {
  try {
    mkdirSync(dir, { mode: 0o700 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function isAbandoned(lockDir: string, staleMs: number): boolean {
  const stats = statOf(lockDir);
  if (!stats) return true;
  return Date.now() - Number(stats.mtimeMs) > staleMs || isOwnerGone(lockDir, stats);
}

/**
 * Removes an abandoned lock. Two who saw the same abandoned lock must not remove each other's new one, so one at a time
 * looks again and removes.
 */
function breakLock(lockDir: string, staleMs: number): boolean {
  const guard = `${lockDir}.breaking`;
  try {
    writeFileSync(guard, String(process.pid), { flag: "wx", mode: 0o600 });
  } catch {
    const stats = statOf(guard);
    if (stats && Date.now() - Number(stats.mtimeMs) > BREAK_GUARD_STALE_MS) rmSync(guard, { force: true });
    return false;
  }
  try {
    const stats = statOf(lockDir);
    if (stats && isAbandoned(lockDir, staleMs)) remove(lockDir, lockIdentity(stats));
    return true;
  } finally {
    rmSync(guard, { force: true });
  }
}

function remove(lockDir: string, identity: string): void {
  try {
    rmdirSync(lockDir);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOTEMPTY" || code === "EEXIST") {
      const advice = "Remove it, with what is in it, if no other pi is running.";
      throw new LockError("locked", `${lockDir} should be an empty directory, and something is in it. ${advice}`);
    }
    if (!isMissing(error)) throw error;
  }
  // The record goes last: killed before, this process is still known to be gone.
  forgetOwner(lockDir, identity);
}

function touch(lockDir: string): void {
  try {
    const now = new Date();
    utimesSync(lockDir, now, now);
  } catch {
    // Gone: assertHeld() says so before anything is written.
  }
}

function statOf(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}
