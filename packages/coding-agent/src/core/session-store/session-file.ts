import { AppendLog } from "../storage/append-log.js";
import { fileSize, isDirectory, mayWrite, pathExists } from "../storage/files.js";
import { assertReadable } from "../storage/read-text.js";
import { type LockHolder, writerOf } from "../storage/writer-lock.js";
import { Diagnostics } from "./diagnostics.js";
import { CURRENT_SESSION_VERSION, type SessionEntry, type SessionHeader } from "./entries.js";
import { EntryStore } from "./entry-store.js";
import { migrateFile, OldFile } from "./old-format.js";
import { formatVersion, isOldVersion } from "./parse.js";
import { inMemoryBehind, storedAt, wholeLines } from "./salvage.js";
import {
  entriesAre,
  InvalidSessionError,
  isRefusal,
  SessionInUseError,
  SessionReadOnlyError,
  SessionUnsavedError,
} from "./session-errors.js";
import type { FsyncPolicy, SessionDiagnostic, SessionFileOptions } from "./session-file-options.js";
import { SessionLock } from "./session-lock.js";
import { freeName, keepTornTail } from "./side-files.js";
import { lineFeed, type StoredEntry, startsFile } from "./stored-entry.js";
import { holdsEntries } from "./verify-lines.js";
import { copySessionFile, makeAskedFile, makeSessionFile } from "./whole-file.js";

/**
 * The file of a session, or the lack of one: who may write it, what became of it since it was read, and what is done
 * when it was not as it should be. Source: sessions.md section 11.
 */
export class SessionFile {
  #path: string | undefined;
  #header: SessionHeader;
  #store = new EntryStore();
  readonly #lock = new SessionLock();
  #readOnlyReason: string | undefined;
  #fsync: FsyncPolicy;
  #mustSync = false;
  /** This process has made the file: it answers for it as one who adds to it does. */
  #isMade = false;
  /** Set while the file has an older format. */
  #old: OldFile | undefined;
  /** Entries that could not be written when they came. */
  #waiting = 0;
  /** Why the entry that comes next cannot be written. */
  #obstacle: unknown;
  readonly #diagnostics = new Diagnostics();

  /** @param path of the file to come; undefined = in memory */
  constructor(header: SessionHeader, path: string | undefined, options: SessionFileOptions = {}) {
    this.#header = header;
    this.#path = path;
    this.#fsync = options.fsync ?? "important";
    if (options.readOnly) this.#readOnlyReason = "as asked for";
  }

  /**
   * Reads a file; one that does not exist is left for later, an empty one gets its header.
   * @throws `Session file is not a valid pi session: <path>`, and for a path that cannot be read
   */
  static open(path: string, newHeader: SessionHeader, options: SessionFileOptions = {}): SessionFile {
    const file = new SessionFile(newHeader, path, options);
    if (isDirectory(path)) {
      throw new Error(`Session file is a directory: ${path}. Name a session file (.jsonl) or a session id.`);
    }
    assertReadable(path);
    const size = fileSize(path);
    if (size === undefined) return file;
    if (size === 0) file.#beginEmptyFile(path);
    else file.#read(path);
    return file;
  }

  /**
   * Makes a file of these lines, or holds them in memory when there shall be no file (yet).
   * @param isWritten whether the file is made now
   * @throws `Session file could not be written: <path>: <reason>`
   */
  static of(
    header: SessionHeader,
    path: string | undefined,
    lines: Iterable<Buffer>,
    isWritten: boolean,
    options: SessionFileOptions,
  ): SessionFile {
    const file = new SessionFile(header, path, options);
    if (path !== undefined && isWritten) {
      file.#load(makeAskedFile(path, header, lines, file.#fsync !== "never"));
      file.#isMade = true;
    } else {
      for (const line of lines) file.#store.holdLine(line);
      file.#store.settle();
    }
    return file;
  }

  get path(): string | undefined {
    return this.#path;
  }

  get header(): SessionHeader {
    return this.#header;
  }

  get store(): EntryStore {
    return this.#store;
  }

  /** Whether there is a file already. */
  get isWritten(): boolean {
    return this.#store.log !== undefined;
  }

  /** There is a file, or was one before somebody deleted it. */
  get isOnDisk(): boolean {
    return this.isWritten || this.#old !== undefined;
  }

  get isReadOnly(): boolean {
    return this.#readOnlyReason !== undefined;
  }

  setFsyncPolicy(policy: FsyncPolicy): void {
    this.#fsync = policy;
  }

  drainDiagnostics(): SessionDiagnostic[] {
    for (const problem of this.#store.takeProblems())
      this.#warn(`Session file ${this.#path ?? "(memory)"}: ${problem}.`);
    return this.#diagnostics.drain();
  }

  /** Called when there is something to drain. */
  set onDiagnostic(listener: (() => void) | undefined) {
    this.#diagnostics.onAdded = listener;
  }

  /** Entries that could not be written, in their order. */
  unsaved(): SessionEntry[] {
    if (!this.isWritten && this.#waiting === 0) return [];
    const held = this.#store.held().filter((at) => at >= (this.#old?.entries ?? 0));
    return held.map((at) => this.#store.entry(at));
  }

  /** Another process that writes the file now. */
  otherWriter(): LockHolder | undefined {
    return this.#path !== undefined && this.isOnDisk ? writerOf(this.#path) : undefined;
  }

  /**
   * Makes sure that this process is the one that writes, and knows all that others wrote before.
   * @throws SessionInUseError, SessionReadOnlyError, and what the operating system says
   */
  prepareToWrite(): void {
    const path = this.#path;
    if (this.#readOnlyReason !== undefined) throw new SessionReadOnlyError(path ?? "", this.#readOnlyReason);
    if (path === undefined || !this.isOnDisk) return;
    this.#lock.take(path);
    if (this.#old) this.#migrateNow(path, this.#old);
    this.#meetChanges(path);
    this.#store.log?.openForAppending();
    this.#endLastLine();
    if (!this.#store.header) this.#store.appendHeader(this.#header);
    if (this.#store.held().length > 0) this.#mustSync = this.#fsync !== "never";
    this.#store.saveHeld();
    this.#noteSaved();
  }

  /**
   * As `prepareToWrite`, but what may pass is no error yet: the entry that comes next cannot be written then.
   * @throws SessionInUseError, SessionReadOnlyError
   */
  prepareToAppend(): void {
    this.#obstacle = undefined;
    try {
      this.prepareToWrite();
    } catch (error) {
      if (isRefusal(error)) throw error;
      this.#obstacle = error;
    }
  }

  /**
   * Says it when the file cannot be written, before that is tried.
   * @throws SessionInUseError
   */
  assertFree(): void {
    const path = this.#path;
    const writer = this.otherWriter();
    if (path === undefined || this.isReadOnly) return;
    if (writer) throw new SessionInUseError(writer.pid, writer.since, path);
    if (this.isOnDisk && !mayWrite(path)) this.#warn(`Session file can only be read for now: ${path}`);
  }

  /**
   * Stores one entry behind the others. `prepareToAppend` comes first.
   * @throws SessionUnsavedError when it could not be written and is kept in memory; SessionInUseError
   */
  append(stored: StoredEntry): void {
    try {
      if (this.#obstacle) throw this.#obstacle;
      this.#write(stored);
    } catch (error) {
      throw isRefusal(error) ? error : this.#keep(stored, error);
    }
  }

  #write(stored: StoredEntry): void {
    const { type, role } = stored.facts;
    if (!this.isWritten && this.#path !== undefined && (this.#waiting > 0 || startsFile(stored))) {
      this.#writeNew(stored);
      return;
    }
    this.#store.append(stored);
    if (!this.isWritten) return;
    this.#mustSync = this.#fsync !== "never";
    if (this.#fsync === "always" || type === "compaction" || role === "user") this.sync();
  }

  #keep(stored: StoredEntry, reason: unknown): SessionUnsavedError {
    const isFirst = this.#waiting === 0;
    this.#waiting++;
    this.#store.keep(stored);
    const error = new SessionUnsavedError(this.#path ?? "", this.unsaved().length, reason);
    if (isFirst) this.#warn(error.message);
    return error;
  }

  /** Writes what could not be written before, and all of it when somebody deleted the file. */
  #save(): void {
    // Who only looks on does not bring back what somebody deleted.
    const isGone = (this.#lock.isHeld || this.#isMade) && this.#store.log?.look().change === "missing";
    if (this.unsaved().length === 0 && !isGone) return;
    try {
      if (this.isOnDisk) this.prepareToWrite();
      else this.#writeNew();
    } catch {
      // That has been said; it goes on waiting.
    }
  }

  /** Writes the file with all entries so far, and one more. */
  #writeNew(last?: StoredEntry): void {
    if (this.#path === undefined) return;
    this.#lock.take(this.#path);
    if (pathExists(this.#path)) this.#goBeside(this.#path);
    const path = this.#path;
    const lines = [...this.#store.lines(), ...(last ? [last.line] : [])];
    const log = makeSessionFile(path, this.#header, lines, this.#fsync !== "never");
    this.#store.moveTo(log, this.#header, last);
    this.#noteSaved();
  }

  #noteSaved(): void {
    if (this.#waiting === 0) return;
    this.#warn(`What waited in memory (entries: ${this.#waiting}) is in the session file now: ${this.#path}`);
    this.#waiting = 0;
  }

  /**
   * Waits until everything is on the disk itself, unless the policy is `never`; first writes what could not be written, and
   * a file that was deleted.
   */
  sync(): void {
    this.#save();
    if (!this.#mustSync) return;
    this.#mustSync = false;
    try {
      this.#store.log?.sync();
    } catch (error) {
      const message = `Session file could not be brought to the disk: ${this.#path}: ${(error as Error).message}`;
      this.#warn(message);
    }
  }

  /** Gives up the right to write; the next append takes it again. */
  release(): void {
    this.sync();
    this.#lock.release();
    this.#isMade = false;
  }

  /** As `release`, once nothing more will be written for now: what befell the file is put right before. */
  end(): void {
    try {
      if (this.isOnDisk && (this.#lock.isHeld || this.#isHarmed())) this.prepareToWrite();
    } catch {
      // It stays as it is; what could not be written is told of.
    }
    this.release();
  }

  /** Something befell the file that this process has made, and that nobody added to here. */
  #isHarmed(): boolean {
    const change = this.#isMade ? this.#store.log?.look().change : undefined;
    return change !== undefined && change !== "none" && change !== "grown";
  }

  /** Gives the file up for another one. Returns what is still to be said about it. */
  leave(): SessionDiagnostic[] {
    this.end();
    const lost = this.unsaved().length;
    if (lost > 0) {
      const message = `Entries that could not be written to the session file are lost with it: ${lost}. File: ${this.#path}`;
      this.#diagnostics.error(message);
    }
    return this.drainDiagnostics();
  }

  #read(path: string): void {
    this.#load(AppendLog.open(path));
    const { version } = this.#header;
    if (isOldVersion(version)) this.#migrate(path);
    else if (formatVersion(version) > CURRENT_SESSION_VERSION) {
      this.#readOnlyReason = `its format version ${version} is newer than ${CURRENT_SESSION_VERSION}`;
      this.#warn(`Session file has a newer format (version ${version}) and is opened for reading only: ${path}`);
    }
    // Who writes it just now may be in the middle of a line.
    if (this.#store.tornTail && !this.isReadOnly && !writerOf(path)) this.#keepTornTail();
  }

  #load(log: AppendLog): void {
    this.#store = new EntryStore();
    this.#store.read(log);
    const { header } = this.#store;
    if (!header) throw new InvalidSessionError(log.path);
    this.#header = header;
  }

  #migrate(path: string): void {
    try {
      if (this.isReadOnly) throw new Error("it is opened for reading only");
      this.#lock.take(path, true);
      this.#store.log?.close();
      migrateFile(path);
      this.#load(AppendLog.open(path));
    } catch (error) {
      // Whoever writes it may be about to do this; else it is tried again before something is written.
      if (!(error instanceof SessionInUseError)) {
        this.#warn(`Session file keeps its old format for now: ${path}: ${(error as Error).message}`);
      }
      this.#store = new EntryStore();
      this.#old = new OldFile(path, this.#store);
      this.#header = { ...this.#header, version: CURRENT_SESSION_VERSION };
    } finally {
      this.release();
    }
  }

  #migrateNow(path: string, old: OldFile): void {
    const fate = old.migrate(this.#header);
    const { count } = this.#store.index;
    const waiting = Array.from({ length: count - old.entries }, (_, at) => storedAt(this.#store, old.entries + at));
    if (fate === "current") this.#loadAround(AppendLog.open(path), waiting);
    this.#old = undefined;
    old.close();
    if (fate === "current") return;
    // All of it is in memory.
    this.#writeNew();
    if (fate === "missing") this.#warn(writtenAgain(path));
  }

  /** Reads a file; these entries still wait to be written. */
  #loadAround(log: AppendLog, waiting: readonly StoredEntry[]): void {
    this.#load(log);
    for (const stored of waiting) this.#store.keep(stored);
    this.#store.settle();
  }

  #beginEmptyFile(path: string): void {
    if (this.isReadOnly) return;
    this.#store.read(AppendLog.open(path));
    // What may pass is told with the first entry.
    this.prepareToAppend();
    this.release();
    this.#isMade = this.#store.header !== undefined;
  }

  #meetChanges(path: string): void {
    const { log } = this.#store;
    if (!log) return;
    const { change, size } = log.look();
    if (change === "none") return;
    if (change === "touched" && holdsEntries(log, this.#store.index)) log.accept(size);
    else if (change === "grown") this.#takeForeignLines(log, size);
    else if (change === "cut") this.#recoverFromCut(log, size);
    else if (change === "overwritten" || change === "touched") this.#goOnBeside(log, path);
    else {
      // It is open still: what others had added to it is not lost with it.
      if (size > log.size) this.#takeForeignLines(log, size);
      this.#writeElsewhere(this.#store.log ?? log, path, change);
    }
  }

  #takeForeignLines(log: AppendLog, size: number): void {
    const from = this.#store.tornTail?.offset ?? log.size;
    const isLineEnd = log.lastByte() === 0x0a || this.#store.tornTail !== undefined;
    log.accept(size);
    if (isLineEnd) {
      this.#store.absorb(from, size);
      return;
    }
    this.#loadAround(
      log,
      this.#store.held().map((at) => storedAt(this.#store, at)),
    );
  }

  /** The bytes behind `size` are gone; what is still in memory is written again. */
  #recoverFromCut(log: AppendLog, size: number): void {
    const kept = inMemoryBehind(this.#store, size);
    const lost = this.#store.index.count;
    log.accept(size);
    this.#store = new EntryStore();
    this.#store.read(log);
    for (const stored of kept) this.#store.keep(stored);
    this.#store.settle();
    const missing = lost - this.#store.index.count;
    this.#warn(
      `Session file was cut to ${size} bytes while it was open: ${log.path}. ` +
        (missing > 0 ? `${entriesAre(missing)} lost.` : "What was missing is written again."),
    );
  }

  /** Somebody wrote over the file in place: what they wrote stays, what is in memory or still whole goes beside it. */
  #goOnBeside(log: AppendLog, path: string): void {
    const lines = wholeLines(this.#store);
    const lost = this.#store.index.count - lines.length;
    const target = freeName(path);
    const next = makeSessionFile(target, this.#header, lines, this.#fsync !== "never");
    log.close();
    this.#load(next);
    this.#moveLock(target);
    const fate = lost > 0 ? ` ${entriesAre(lost)} lost.` : "";
    this.#warn(`Session file ${path} was overwritten while it was open; the session goes on in ${target}.${fate}`);
  }

  #moveLock(target: string): void {
    this.#path = target;
    this.#lock.release();
    this.#lock.take(target);
  }

  /** The file at the path is not ours any more: all that was in it goes back there, or beside what is there now. */
  #writeElsewhere(log: AppendLog, path: string, change: "replaced" | "missing"): void {
    if (change === "replaced" && log.isBeginningOf(path)) {
      // Written anew by somebody who had it open too, as when it had been deleted.
      this.#loadAround(
        AppendLog.open(path),
        this.#store.held().map((at) => storedAt(this.#store, at)),
      );
      log.close();
      return;
    }
    const size = log.lastByte() === 0x0a ? log.size : (this.#store.tornTail?.offset ?? log.size);
    const target = change === "missing" ? path : freeName(path);
    const next = copySessionFile(log, size, target, this.#fsync !== "never");
    this.#store.continueIn(next);
    log.close();
    if (target === path) {
      this.#warn(writtenAgain(path));
      return;
    }
    this.#goBeside(path, target);
  }

  #goBeside(path: string, target = freeName(path)): void {
    this.#moveLock(target);
    this.#warn(`Another file took the place of the session file ${path}; the session goes on in ${target}`);
  }

  /** A last line without line feed, whole or torn, must not be glued to the next one. */
  #endLastLine(): void {
    const { log } = this.#store;
    const last = log?.lastByte();
    this.#keepTornTail();
    if (log && last !== undefined && last !== 0x0a) log.append(lineFeed);
    this.#store.tornTail = undefined;
  }

  #keepTornTail(): void {
    const { log, tornTail } = this.#store;
    if (!log || !tornTail) return;
    const text = `The last line of the session file was cut off and is left out: ${log.path}.`;
    try {
      const copy = keepTornTail(log.path, tornTail, log.read(tornTail.offset, tornTail.length));
      if (copy) this.#warn(`${text} What there is of it is kept in ${copy}`);
    } catch (error) {
      this.#warn(`${text} It could not be kept aside: ${(error as Error).message}`);
    }
  }

  #warn(message: string): void {
    this.#diagnostics.warn(message);
  }
}

function writtenAgain(path: string): string {
  return `Session file was deleted while it was open; it was written again: ${path}`;
}
