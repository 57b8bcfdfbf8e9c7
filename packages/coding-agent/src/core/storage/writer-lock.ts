import { readFileSync, rmdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { releaseAtEnd } from "./at-end.js";
import { createFile } from "./create-file.js";
import { realPath } from "./file-lock.js";
import { isMissing } from "./files.js";
import { pause } from "./pause.js";
import { isProcessGone, isThisProcess, type ProcessIdentity, thisProcess } from "./process-identity.js";

/** Who writes a file. */
export interface LockHolder {
  /** 0 = the lock does not say it. */
  pid: number;
  /** ISO 8601; when the lock does not say it, its last sign of life. */
  since: string;
  /** It is held for a moment only, and by nobody who writes a conversation: see `WriterLock.take`. */
  isBrief?: true;
}

interface LockRecord extends ProcessIdentity, LockHolder {}

/** A holder on another machine shows that it lives by touching its lock this often, in ms. */
const touchEveryMs = 10_000;
/** Without such a sign for so long it counts as gone. */
const goneAfterMs = 60_000;
/** Removing an abandoned lock takes far less. */
const guardStaleMs = 5000;
const attempts = 400;
/** How long a lock that is held for a moment is waited for, in ms: what takes longer is told of. */
const briefMs = 2000;

/** The locks of this process: whoever writes here shares them. By contract with other processes it is one writer. */
const held = new Map<string, { users: number; text: string; timer: NodeJS.Timeout; kept: () => void }>();

/**
 * The right to write a file, for as long as somebody needs it: `<file>.lock` names the process. Everything in this
 * process shares it; other processes are told who has it. A lock whose process is gone is taken over.
 */
export class WriterLock {
  readonly #lockPath: string;
  #isReleased = false;

  private constructor(lockPath: string) {
    this.#lockPath = lockPath;
  }

  /**
   * @param path of the file, which need not exist; its folder must
   * @param isBrief it is given up before anything else is done: others wait for it instead of giving up
   * @returns the lock, or who has it
   * @throws what the operating system says when no lock can be made
   */
  static take(path: string, isBrief = false): WriterLock | LockHolder {
    const lockPath = `${realPath(path)}.lock`;
    const own = held.get(lockPath);
    if (own && readLock(lockPath)?.text === own.text) {
      own.users++;
      return new WriterLock(lockPath);
    }
    const patienceEnds = Date.now() + briefMs;
    for (let attempt = 0; ; attempt++) {
      const text = make(lockPath, isBrief);
      if (text !== undefined) return new WriterLock(hold(lockPath, text));
      if (attempt > attempts) throw new Error(`${lockPath} cannot be taken over. Remove it if no other pi is running.`);
      const found = readLock(lockPath);
      if (!found) {
        // Gone in this moment, or a link that leads nowhere.
        pause();
        continue;
      }
      // Another copy of this code in the same process: it gives the lock up with the process.
      if (found.record && isThisProcess(found.record)) return new WriterLock(hold(lockPath, found.text));
      if (!isAbandoned(lockPath, found.record)) {
        if (!found.record?.isBrief || Date.now() > patienceEnds) return found.record ?? unnamedHolder(lockPath);
        attempt = 0;
        pause();
        continue;
      }
      if (!remove(lockPath, found.text)) pause();
    }
  }

  /** Whether nobody took the lock away meanwhile. */
  isHeld(): boolean {
    return !this.#isReleased && readLock(this.#lockPath)?.text === held.get(this.#lockPath)?.text;
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    const own = held.get(this.#lockPath);
    if (!own || --own.users > 0) return;
    drop(this.#lockPath);
  }
}

/** Who else writes the file; undefined when nobody does, or only holds it for a moment. */
export function writerOf(path: string): LockHolder | undefined {
  const lockPath = `${realPath(path)}.lock`;
  const found = readLock(lockPath);
  if (!found || found.record?.isBrief || (found.record && isThisProcess(found.record))) return undefined;
  if (isAbandoned(lockPath, found.record)) return undefined;
  return found.record ?? unnamedHolder(lockPath);
}

/** What is known of somebody whose lock says nothing. */
function unnamedHolder(lockPath: string): LockHolder {
  const touched = statSync(lockPath, { throwIfNoEntry: false })?.mtime;
  return { pid: 0, since: touched?.toISOString() ?? "an unknown time" };
}

/** @returns what the lock says, or undefined when there is one already */
function make(lockPath: string, isBrief: boolean): string | undefined {
  const record: LockRecord = { ...thisProcess(), since: new Date().toISOString(), ...(isBrief && { isBrief }) };
  const text = JSON.stringify(record);
  try {
    createFile(lockPath, [Buffer.from(text)], false);
    return text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return undefined;
    throw error;
  }
}

function hold(lockPath: string, text: string): string {
  const timer = setInterval(() => touch(lockPath), touchEveryMs);
  timer.unref();
  const before = held.get(lockPath);
  clearInterval(before?.timer);
  before?.kept();
  held.set(lockPath, { users: (before?.users ?? 0) + 1, text, timer, kept: releaseAtEnd(() => drop(lockPath)) });
  return lockPath;
}

function drop(lockPath: string): void {
  const own = held.get(lockPath);
  if (!own) return;
  clearInterval(own.timer);
  own.kept();
  held.delete(lockPath);
  if (readLock(lockPath)?.text === own.text) rmSync(lockPath, { force: true });
}

function isAbandoned(lockPath: string, record: LockRecord | undefined): boolean {
  if (record && record.host === thisProcess().host) return isProcessGone(record);
  const modified = statSync(lockPath, { throwIfNoEntry: false })?.mtimeMs;
  return modified === undefined || Date.now() - modified > goneAfterMs;
}

/**
 * Removes an abandoned lock. Two who saw the same one must not remove each other's new one, so one at a time looks
 * again and removes. Returns whether this one did.
 */
function remove(lockPath: string, text: string): boolean {
  const guard = `${lockPath}.breaking`;
  try {
    writeFileSync(guard, "", { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const made = statSync(guard, { throwIfNoEntry: false })?.mtimeMs;
    if (made !== undefined && Date.now() - made > guardStaleMs) rmSync(guard, { force: true });
    return false;
  }
  try {
    if (readLock(lockPath)?.text === text) removeLock(lockPath);
    return true;
  } finally {
    rmSync(guard, { force: true });
  }
}

/** Other programs lock by empty folders. */
function removeLock(lockPath: string): void {
  if (!statSync(lockPath, { throwIfNoEntry: false })?.isDirectory()) {
    rmSync(lockPath, { force: true });
    return;
  }
  try {
    rmdirSync(lockPath);
  } catch (error) {
    if (isMissing(error)) return;
    throw new Error(`${lockPath} is a folder that is no lock. Move it away.`, { cause: error });
  }
}

/** One that cannot be read, being a folder or somebody else's, is a lock that says nothing. */
function readLock(lockPath: string): { text: string; record: LockRecord | undefined } | undefined {
  let text: string;
  try {
    text = readFileSync(lockPath, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    if (!unreadable.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
    return { text: "", record: undefined };
  }
  try {
    const record = JSON.parse(text) as LockRecord;
    return { text, record: namesProcess(record) ? record : undefined };
  } catch {
    return { text, record: undefined };
  }
}

/** Zero and negative numbers mean groups of processes to the system, and none has a number beyond 31 bits. */
function namesProcess({ pid, since }: LockRecord): boolean {
  return Number.isInteger(pid) && pid > 0 && pid < 2 ** 31 && typeof since === "string";
}

const unreadable: ReadonlySet<string> = new Set(["EISDIR", "EACCES", "EPERM"]);

function touch(lockPath: string): void {
  try {
    const now = new Date();
    utimesSync(lockPath, now, now);
  } catch {
    // Gone: the next write notices.
  }
}
