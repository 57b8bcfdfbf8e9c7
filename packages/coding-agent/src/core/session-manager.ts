import { join } from "node:path";
import type { Usage } from "@earendil-works/pi-ai";
import { getAgentDir } from "../config.js";
import { branchLines, chainFile } from "./session-store/branch-lines.js";
import type { FileEntry, NewEntry, SessionEntry, SessionHeader } from "./session-store/entries.js";
import type { EntryStore } from "./session-store/entry-store.js";
import { copiedLines } from "./session-store/migrate-file.js";
import {
  cannotFork,
  cwdOf,
  dirFor,
  memoryFile,
  type NewSessionOptions,
  newFile,
  newHeader,
  pathFor,
} from "./session-store/new-session.js";
import { missingToolResults } from "./session-store/open-calls.js";
import { newEntryId } from "./session-store/parse.js";
import { defaultSessionDir, resolveUserPath } from "./session-store/paths.js";
import { SessionAppender } from "./session-store/session-appender.js";
import { InvalidSessionError, SessionUnsavedError, unlessUnsaved } from "./session-store/session-errors.js";
import { SessionFile } from "./session-store/session-file.js";
import {
  fsyncPolicyOf,
  type SessionDiagnostic,
  type SessionFileOptions,
} from "./session-store/session-file-options.js";
import { listAllSessions, listSessions, type SessionListProgress } from "./session-store/session-list.js";
import { acceptsFor, latestFirst, ownSessions, passedOverText, surveyOwn } from "./session-store/session-lookup.js";
import type { SessionInfo } from "./session-store/session-summary.js";
import { storedEntry } from "./session-store/stored-entry.js";
import { ensurePrivateDir } from "./storage/files.js";
import type { LockHolder } from "./storage/writer-lock.js";

export type { NewSessionOptions } from "./session-store/new-session.js";

export interface SessionStoreOptions extends SessionFileOptions {
  /** The folder comes with the first write, not at once: a start that fails leaves none behind. Default false. */
  lazyFolder?: boolean | undefined;
}

/**
 * A conversation as a tree of entries, in memory or in one JSONL file.
 *
 * Only an index of the entries is in memory; bodies are read when they are asked for. A new session is written with its
 * first user or assistant message; after that every entry is one appended line before the call returns. When a write
 * fails, SessionUnsavedError is thrown, and the entry is kept in memory: it is written before any later one. One process
 * writes a session at a time.
 * Source: sessions.md sections 1-3, 11.
 */
export class SessionManager extends SessionAppender {
  #cwd: string;
  readonly #sessionDir: string;
  readonly #options: SessionStoreOptions;
  #file: SessionFile;
  #leafId: string | null = null;
  #lastTime = 0;
  /** Of files that were left, and of what others did. */
  readonly #diagnostics: SessionDiagnostic[] = [];
  #onDiagnostic: (() => void) | undefined;
  /** Leaf of a session that was read: a run that was cut off may have left calls without results there. */
  #resumedLeafId: string | undefined;

  private constructor(cwd: string, sessionDir: string, file: SessionFile, options: SessionStoreOptions) {
    super();
    this.#cwd = cwd;
    this.#sessionDir = sessionDir;
    this.#options = { ...options };
    this.#file = file;
    this.#goToEnd();
  }

  /** A new session; its file comes with the first message. */
  static create(
    cwd: string,
    sessionDir?: string,
    options: NewSessionOptions & SessionStoreOptions = {},
  ): SessionManager {
    const dir = dirFor(cwd, sessionDir);
    if (!options.lazyFolder) ensurePrivateDir(dir);
    return new SessionManager(cwd, dir, newFile(newHeader(cwd, options), dir, options), options);
  }

  /**
   * Opens a file. A path that does not exist becomes a new session with that path.
   * @throws `Session file is not a valid pi session: <path>`, and for a path that cannot be read
   */
  static open(
    path: string,
    sessionDir?: string,
    cwdOverride?: string,
    options: SessionStoreOptions = {},
  ): SessionManager {
    const path_ = resolveUserPath(path);
    const dir = sessionDir ? resolveUserPath(sessionDir) : join(path_, "..");
    if (!options.lazyFolder) ensurePrivateDir(dir);
    const file = SessionFile.open(path_, newHeader(cwdOverride ?? process.cwd(), {}), options);
    return new SessionManager(cwdOverride ?? cwdOf(file.header), dir, file, options);
  }

  /** The newest session of `cwd`, or a new one. The diagnostics say what could not be read of what is newer. */
  static continueRecent(cwd: string, sessionDir?: string, options: SessionStoreOptions = {}): SessionManager {
    const { sessions, unreadable } = surveyOwn(dirFor(cwd, sessionDir), cwd, sessionDir);
    const [latest] = latestFirst(sessions);
    const manager = latest
      ? SessionManager.open(latest.path, sessionDir, cwd, options)
      : SessionManager.create(cwd, sessionDir, options);
    const message = passedOverText(unreadable, latest);
    if (message !== undefined) manager.#diagnostics.push({ type: "warning", message });
    return manager;
  }

  /** A session without a file, empty or with the given entries. */
  static inMemory(
    cwd: string = process.cwd(),
    options: NewSessionOptions = {},
    entries: FileEntry[] = [],
  ): SessionManager {
    return new SessionManager(cwd, "", memoryFile(cwd, options, entries), {});
  }

  /**
   * Copies a session, whole, into a new file for another working directory.
   * @throws when the source is no session or the target exists
   */
  static forkFrom(
    sourcePath: string,
    targetCwd: string,
    sessionDir?: string,
    options: Pick<NewSessionOptions, "id"> & SessionStoreOptions = {},
  ): SessionManager {
    const path = resolveUserPath(sourcePath);
    const header = newHeader(targetCwd, { id: options.id, parentSession: path });
    let source: SessionFile;
    try {
      source = SessionFile.open(path, header, { readOnly: true });
    } catch (error) {
      throw error instanceof InvalidSessionError ? cannotFork(path) : error;
    }
    if (source.header === header) throw cannotFork(path);
    const dir = dirFor(targetCwd, sessionDir);
    const file = SessionFile.of(header, pathFor(header, dir), copiedLines(path), true, options);
    return new SessionManager(targetCwd, dir, file, options);
  }

  /** Path of the session with exactly this id, looked up by headers. */
  static findById(cwd: string, id: string, sessionDir?: string): string | undefined {
    return ownSessions(dirFor(cwd, sessionDir), cwd, sessionDir).find(({ header }) => header.id === id)?.path;
  }

  /**
   * Sessions of a working directory, last used first.
   * @throws the reason of the signal
   */
  static list(
    cwd: string,
    sessionDir?: string,
    onProgress?: SessionListProgress,
    signal?: AbortSignal,
  ): Promise<SessionInfo[]> {
    const accepts = acceptsFor(cwd, sessionDir);
    return listSessions([dirFor(cwd, sessionDir)], { onProgress, signal, partialEvery: 10, accepts });
  }

  /** Sessions of all working directories, last used first; of one flat folder when that is named. */
  static listAll(onProgress?: SessionListProgress, signal?: AbortSignal): Promise<SessionInfo[]>;
  static listAll(sessionDir?: string, onProgress?: SessionListProgress, signal?: AbortSignal): Promise<SessionInfo[]>;
  static listAll(
    first?: string | SessionListProgress,
    second?: SessionListProgress | AbortSignal,
    third?: AbortSignal,
  ): Promise<SessionInfo[]> {
    return listAllSessions(join(getAgentDir(), "sessions"), first, second, third);
  }

  getCwd(): string {
    return this.#cwd;
  }

  getSessionDir(): string {
    return this.#sessionDir;
  }

  getSessionId(): string {
    return this.#file.header.id;
  }

  /** Undefined for sessions in memory. The file need not exist yet. */
  getSessionFile(): string | undefined {
    return this.#file.path;
  }

  isPersisted(): boolean {
    return this.#file.path !== undefined;
  }

  usesDefaultSessionDir(): boolean {
    return this.isPersisted() && this.#sessionDir === defaultSessionDir(getAgentDir(), this.#cwd);
  }

  getHeader(): SessionHeader | null {
    return this.#file.header;
  }

  override getLeafId(): string | null {
    return this.#leafId;
  }

  /** Nothing can be appended: asked for, or because the format is newer than this program. */
  isReadOnly(): boolean {
    return this.#file.isReadOnly;
  }

  /** Another process that writes this session now. */
  getOtherWriter(): LockHolder | undefined {
    return this.#file.otherWriter();
  }

  /**
   * Takes the right to write at once instead of with the first entry, and follows what others wrote. Nothing happens before
   * there is a file.
   * @throws SessionInUseError, SessionReadOnlyError and what the operating system says
   */
  acquireWriter(): void {
    this.#following(() => this.#prepareToWrite(() => this.#file.prepareToWrite()));
  }

  /**
   * Before something is done that adds entries: what can never be written is refused now. What may pass, as a full disk, is
   * told with the entry.
   * @throws SessionInUseError, SessionReadOnlyError
   */
  prepareToAppend(): void {
    this.#prepareToWrite(() => this.#file.prepareToAppend());
  }

  /**
   * As `prepareToAppend`, while nothing goes on: a session that stood at its end goes on behind what others added meanwhile.
   * @returns whether they did
   * @throws SessionInUseError, SessionReadOnlyError
   */
  followOthers(): boolean {
    return this.#following(() => this.prepareToAppend());
  }

  #following(prepare: () => void): boolean {
    const before = this.index.count;
    const isAtEnd = this.#isAtEnd();
    prepare();
    return isAtEnd && this.#goBehindOthers(before, "which goes on behind that");
  }

  /** @param before how many entries were known. @returns whether there are more now */
  #goBehindOthers(before: number, what: string): boolean {
    const added = this.index.count - before;
    if (added <= 0) return false;
    this.#goToEnd();
    const message = `Another process added to the session, ${what} (entries: ${added}): ${this.#file.path}`;
    this.#diagnostics.push({ type: "warning", message });
    queueMicrotask(() => this.#onDiagnostic?.());
    return true;
  }

  #isAtEnd(): boolean {
    const { count } = this.index;
    return this.#leafId === (count === 0 ? null : this.index.id(count - 1));
  }

  /**
   * The session as it is in its file now, for a copy of it, standing where this one stands; when that is the end, behind
   * what others added meanwhile. Nothing is locked, and this manager stays what it is.
   * @throws for a session without a file, and as `open` does
   */
  readAgain(): SessionManager {
    const path = this.#file.path;
    if (path === undefined) throw new Error("A session in memory has no file to be read again");
    const again = SessionManager.open(path, this.#sessionDir, this.#cwd);
    const isBehind = this.#isAtEnd() && again.#goBehindOthers(this.index.count, "which the copy has too");
    if (!isBehind) again.#leafId = this.#leafId;
    return again;
  }

  /** There is a file, or was one before somebody deleted it. */
  isOnDisk(): boolean {
    return this.#file.isOnDisk;
  }

  /**
   * For whoever opens the session and may write later. A file that can only be read is told by the diagnostics.
   * @throws SessionInUseError
   */
  assertFree(): void {
    this.#file.assertFree();
  }

  /**
   * When entries are waited for until they are on the disk itself.
   * @throws `Invalid sessionFsync setting: <value>`
   */
  setFsyncPolicy(policy: string): void {
    this.#options.fsync = fsyncPolicyOf(policy);
    this.#file.setFsyncPolicy(this.#options.fsync);
  }

  /**
   * Waits until all entries are on the disk itself, unless the policy is `never`; first writes what waits in memory, and a
   * file that was deleted.
   */
  sync(): void {
    this.#file.sync();
  }

  /** Entries that could not be written yet, oldest first: lost when the process ends. */
  getUnsavedEntries(): SessionEntry[] {
    return this.#file.unsaved();
  }

  /** Gives up the right to write, for others to take; the next entry takes it again. */
  close(): void {
    this.#file.end();
  }

  /** Called whenever there is something to drain. */
  setOnDiagnostic(listener: (() => void) | undefined): void {
    this.#onDiagnostic = listener;
    this.#file.onDiagnostic = listener;
  }

  /** What was found wrong and what was done about it, since the last call. */
  drainDiagnostics(): SessionDiagnostic[] {
    return [...this.#diagnostics.splice(0), ...this.#file.drainDiagnostics()];
  }

  /**
   * Moves the leaf; the next entry becomes a child of `id`. In memory only.
   * @throws `Entry <id> not found`
   */
  branch(id: string): void {
    this.assertEntry(id);
    this.#leafId = id;
  }

  /** The next entry becomes a new root. */
  resetLeaf(): void {
    this.#leafId = null;
  }

  /**
   * Moves the leaf and says there what the branch that was left was about.
   * @param fromId the new leaf; null = a new root
   * @throws `Entry <id> not found`
   */
  branchWithSummary(
    fromId: string | null,
    summary: string,
    details?: unknown,
    fromHook?: boolean,
    usage?: Usage,
  ): string {
    const left = this.#leafId;
    if (fromId !== null) this.assertEntry(fromId);
    this.#leafId = fromId;
    try {
      return this.append({
        type: "branch_summary",
        fromId: left ?? "root",
        summary,
        ...(details !== undefined && { details }),
        ...(usage && { usage }),
        ...(fromHook !== undefined && { fromHook }),
      }).id;
    } catch (error) {
      if (!(error instanceof SessionUnsavedError)) this.#leafId = left;
      throw error;
    }
  }

  /** Begins anew in this manager. Returns the path of the file to come, if there will be one. */
  newSession(options: NewSessionOptions = {}): string | undefined {
    const header = newHeader(this.#cwd, options);
    const file = this.isPersisted()
      ? newFile(header, this.#sessionDir, { ...this.#options, readOnly: false })
      : new SessionFile(header, undefined);
    this.#switchTo(file);
    return file.path;
  }

  /** Goes on with another file. @throws as `open` does; the manager is as it was then */
  setSessionFile(path: string): void {
    const file = SessionFile.open(resolveUserPath(path), newHeader(this.#cwd, {}), this.#options);
    this.#switchTo(file);
    this.#cwd = cwdOf(file.header);
  }

  /**
   * Goes on with a session of one branch only. Returns its path, if it has a file.
   * @throws `Entry <id> not found`
   */
  createBranchedSession(leafId: string): string | undefined {
    const path = this.index.path(this.assertEntry(leafId));
    const source = this.#file.path;
    const header = newHeader(this.#cwd, { parentSession: source });
    const target = source === undefined ? undefined : pathFor(header, this.#sessionDir);
    const lines = branchLines(this.store, this.labels, path);
    const isSpoken = path.some((at) => ["user", "assistant"].includes(this.index.role(at)));
    this.#switchTo(SessionFile.of(header, target, lines, isSpoken, { ...this.#options, readOnly: false }));
    return target;
  }

  /** The active branch as a file of its own: header, then one chain. In pieces. */
  branchFile(): Generator<Buffer, void> {
    return chainFile(this.#file.header, this.store, this.pathTo(this.#leafId));
  }

  protected override get store(): EntryStore {
    return this.#file.store;
  }

  #switchTo(file: SessionFile): void {
    this.#diagnostics.push(...this.#file.leave());
    this.#file = file;
    file.onDiagnostic = this.#onDiagnostic;
    this.#goToEnd();
  }

  #goToEnd(): void {
    const last = this.index.count - 1;
    this.#leafId = last < 0 ? null : this.index.id(last);
    this.#resumedLeafId = this.#leafId ?? undefined;
    this.#lastTime = last < 0 ? 0 : this.index.time(last);
  }

  #prepareToWrite(prepare: () => void): void {
    prepare();
    const last = this.index.count - 1;
    if (last >= 0) this.#lastTime = Math.max(this.#lastTime, this.index.time(last));
    // What the leaf was may be lost with the end of the file.
    if (this.#leafId !== null && this.index.find(this.#leafId) === undefined) {
      this.#leafId = last < 0 ? null : this.index.id(last);
    }
  }

  /** Answers what a killed run left open, as happens before the next message. Returns how many results are new. */
  answerOpenCalls(): number {
    if (this.#leafId === null || this.#leafId !== this.#resumedLeafId) return 0;
    this.#resumedLeafId = undefined;
    const results = missingToolResults(this.store, this.pathTo(this.#leafId));
    for (const result of results) unlessUnsaved(() => this.appendMessage(result));
    return results.length;
  }

  #beforeMessage(next: NewEntry): void {
    if (next.type === "message" && next.message.role === "toolResult") this.#resumedLeafId = undefined;
    else if (next.type === "message" || next.type === "custom_message") this.answerOpenCalls();
  }

  protected override append(fields: NewEntry | ((entry: { id: string; time: number }) => NewEntry)): SessionEntry {
    this.prepareToAppend();
    if (typeof fields !== "function") this.#beforeMessage(fields);
    // Never earlier than the entry before, even when the clock moves back: order on the branch is order in time.
    const time = Math.max(this.#lastTime, Date.now());
    const id = newEntryId((id) => this.index.find(id) !== undefined);
    const { type, ...rest } = typeof fields === "function" ? fields({ id, time }) : fields;
    const timestamp = new Date(time).toISOString();
    const stored = storedEntry({ type, id, parentId: this.#leafId, timestamp, ...rest });
    if (!stored) throw new Error(`Entry ${id} cannot be stored`);
    try {
      this.#file.append(stored);
    } finally {
      // Also when it could not be written, but is kept.
      if (this.index.find(id) !== undefined) {
        this.#lastTime = time;
        this.#leafId = id;
      }
    }
    return stored.entry;
  }
}
