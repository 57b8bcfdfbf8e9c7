import { join } from "node:path";
import type { AgentMessage } from "@earendil-works/pi-agent-core";
import { type ImageContent, type TextContent, type Usage, uuidv7 } from "@earendil-works/pi-ai";
import { getAgentDir } from "../config.js";
import {
  buildContextEntries,
  buildSessionContext,
  buildSessionProjection,
  pathToLeaf,
} from "./session-store/context.js";
import {
  CURRENT_SESSION_VERSION,
  type FileEntry,
  type NewEntry,
  type SessionContext,
  type SessionEntry,
  type SessionHeader,
  type SessionProjection,
  type SessionTreeNode,
  type UsageEntry,
} from "./session-store/entries.js";
import { isSessionHeader, migrateSessionEntries, newEntryId } from "./session-store/parse.js";
import { assertSessionId, defaultSessionDir, resolveUserPath, sessionFileName } from "./session-store/paths.js";
import { timeOf } from "./session-store/repair.js";
import { readSessionFile, sessionsIn } from "./session-store/session-file.js";
import { buildTree, latestLabels } from "./session-store/tree.js";
import { AppendLog } from "./storage/append-log.js";
import { replaceFile } from "./storage/atomic-file.js";
import { ensurePrivateDir, fileSize, isDirectory } from "./storage/files.js";

export interface NewSessionOptions {
  /** Default: a fresh UUIDv7. */
  id?: string | undefined;
  /** Absolute path of the session this one comes from. */
  parentSession?: string | undefined;
}

export interface SessionFolderOptions {
  /** The folder comes with the first write, not at once: a start that fails leaves none behind. Default false. */
  lazyFolder?: boolean | undefined;
}

/**
 * A conversation as a tree of entries, in memory and, unless made with `inMemory`, in one JSONL file.
 *
 * A new session is written with its first user or assistant message; after that every entry is one appended line
 * before the call returns. When a write fails, the entry does not exist and the error is thrown.
 * Source: sessions.md sections 1-3.
 */
export class SessionManager {
  #cwd: string;
  readonly #sessionDir: string;
  readonly #persisted: boolean;
  #header: SessionHeader;
  #entries: SessionEntry[] = [];
  #byId = new Map<string, SessionEntry>();
  #leafId: string | null = null;
  #file: string | undefined;
  /** Set once the file exists. */
  #log: AppendLog | undefined;
  #lastTimestamp = 0;

  private constructor(
    cwd: string,
    sessionDir: string,
    persisted: boolean,
    options: NewSessionOptions & SessionFolderOptions = {},
  ) {
    this.#cwd = cwd;
    this.#sessionDir = sessionDir;
    this.#persisted = persisted;
    this.#header = newHeader(cwd, options);
    if (persisted) {
      if (!options.lazyFolder) ensurePrivateDir(sessionDir);
      this.#file = join(sessionDir, sessionFileName(this.#header.timestamp, this.#header.id));
    }
  }

  /** A new session; its file comes with the first message. */
  static create(
    cwd: string,
    sessionDir?: string,
    options: NewSessionOptions & SessionFolderOptions = {},
  ): SessionManager {
    return new SessionManager(cwd, dirFor(cwd, sessionDir), true, options);
  }

  /**
   * Opens a file. A path that does not exist becomes a new session with that path.
   * @throws `Session file is not a valid pi session: <path>`, and for a path that cannot be read
   */
  static open(
    path: string,
    sessionDir?: string,
    cwdOverride?: string,
    options: SessionFolderOptions = {},
  ): SessionManager {
    const file = resolveUserPath(path);
    const dir = sessionDir ? resolveUserPath(sessionDir) : join(file, "..");
    const manager = new SessionManager(cwdOverride ?? process.cwd(), dir, true, options);
    manager.#load(file, cwdOverride);
    return manager;
  }

  /** The newest session of `cwd`, or a new one. */
  static continueRecent(cwd: string, sessionDir?: string, options: SessionFolderOptions = {}): SessionManager {
    for (const { path, header } of sessionsIn(dirFor(cwd, sessionDir))) {
      if (sessionDir === undefined || header.cwd === cwd) return SessionManager.open(path, sessionDir, cwd, options);
    }
    return SessionManager.create(cwd, sessionDir, options);
  }

  /** A session without a file, empty or with the given entries. */
  static inMemory(
    cwd: string = process.cwd(),
    options: NewSessionOptions = {},
    entries: FileEntry[] = [],
  ): SessionManager {
    const manager = new SessionManager(cwd, "", false, options);
    if (entries.length > 0) manager.#take(structuredClone(entries));
    return manager;
  }

  /**
   * Copies a session, whole, into a new file for another working directory.
   * @throws when the source is no session or the target exists
   */
  static forkFrom(
    sourcePath: string,
    targetCwd: string,
    sessionDir?: string,
    options: Pick<NewSessionOptions, "id"> = {},
  ): SessionManager {
    const source = resolveUserPath(sourcePath);
    let entries: FileEntry[];
    try {
      entries = readSessionFile(source).entries;
    } catch {
      throw new Error(`Cannot fork: source session file is empty or invalid: ${source}`);
    }
    const dir = dirFor(targetCwd, sessionDir);
    const header = newHeader(targetCwd, { ...options, parentSession: source });
    const file = join(dir, sessionFileName(header.timestamp, header.id));
    migrateSessionEntries(entries);
    const copied = entries.filter((entry) => entry.type !== "session");
    AppendLog.create(
      file,
      [header, ...copied].map((entry) => JSON.stringify(entry)),
    );
    return SessionManager.open(file, dir, targetCwd);
  }

  /** Path of the session with exactly this id, looked up by headers. */
  static findById(cwd: string, id: string, sessionDir?: string): string | undefined {
    for (const { path, header } of sessionsIn(dirFor(cwd, sessionDir))) if (header.id === id) return path;
    return undefined;
  }

  getCwd(): string {
    return this.#cwd;
  }

  getSessionDir(): string {
    return this.#sessionDir;
  }

  getSessionId(): string {
    return this.#header.id;
  }

  /** Undefined for sessions in memory. The file need not exist yet. */
  getSessionFile(): string | undefined {
    return this.#file;
  }

  isPersisted(): boolean {
    return this.#persisted;
  }

  usesDefaultSessionDir(): boolean {
    return this.#persisted && this.#sessionDir === defaultSessionDir(getAgentDir(), this.#cwd);
  }

  getHeader(): SessionHeader | null {
    return this.#header;
  }

  /** In the order they were appended. */
  getEntries(): SessionEntry[] {
    return [...this.#entries];
  }

  getEntryCount(): number {
    return this.#entries.length;
  }

  getEntry(id: string): SessionEntry | undefined {
    return this.#byId.get(id);
  }

  getChildren(parentId: string | null): SessionEntry[] {
    return this.#entries.filter((entry) => entry.parentId === parentId);
  }

  getLeafId(): string | null {
    return this.#leafId;
  }

  getLeafEntry(): SessionEntry | undefined {
    return this.#leafId === null ? undefined : this.#byId.get(this.#leafId);
  }

  /** From a root to the entry (default: the leaf). */
  getBranch(fromId: string | null = this.#leafId): SessionEntry[] {
    return pathToLeaf(this.#byId, fromId);
  }

  getTree(): SessionTreeNode[] {
    return buildTree(this.#entries);
  }

  getLabel(id: string): string | undefined {
    return latestLabels(this.#entries).get(id)?.label;
  }

  getSessionName(): string | undefined {
    const info = this.#entries.findLast((entry) => entry.type === "session_info");
    return (typeof info?.name === "string" && info.name.trim()) || undefined;
  }

  buildContextEntries(): SessionEntry[] {
    return buildContextEntries(this.#entries, this.#leafId, this.#byId);
  }

  buildSessionProjection(): SessionProjection {
    return buildSessionProjection(this.#entries, this.#leafId, this.#byId);
  }

  buildSessionContext(): SessionContext {
    return buildSessionContext(this.#entries, this.#leafId, this.#byId);
  }

  appendMessage(message: AgentMessage): string {
    return this.#append({ type: "message", message }).id;
  }

  appendModelChange(provider: string, modelId: string): string {
    return this.#append({ type: "model_change", provider, modelId }).id;
  }

  appendThinkingLevelChange(thinkingLevel: string): string {
    return this.#append({ type: "thinking_level_change", thinkingLevel }).id;
  }

  appendCustomEntry(customType: string, data?: unknown): string {
    return this.#append({ type: "custom", customType, ...(data !== undefined && { data }) }).id;
  }

  appendCustomMessageEntry(
    customType: string,
    content: string | (TextContent | ImageContent)[],
    display: boolean,
    details?: unknown,
  ): string {
    return this.#append({
      type: "custom_message",
      customType,
      content,
      display,
      ...(details !== undefined && { details }),
    }).id;
  }

  appendUsage(kind: string, provider: string, model: string, usage: Usage, note?: string): UsageEntry {
    return this.#append({
      type: "usage",
      kind,
      provider,
      model,
      usage,
      ...(note !== undefined && { note }),
    }) as UsageEntry;
  }

  /** Line breaks in a name become spaces; an empty name clears it. */
  appendSessionInfo(name: string): string {
    return this.#append({ type: "session_info", name: name.replace(/[\r\n]+/g, " ").trim() }).id;
  }

  /** @throws `Entry <id> not found` */
  appendLabelChange(targetId: string, label?: string): string {
    this.#assertEntry(targetId);
    return this.#append({ type: "label", targetId, ...(label && { label }) }).id;
  }

  /**
   * Moves the leaf; the next entry becomes a child of `id`. In memory only.
   * @throws `Entry <id> not found`
   */
  branch(id: string): void {
    this.#assertEntry(id);
    this.#leafId = id;
  }

  /** The next entry becomes a new root. */
  resetLeaf(): void {
    this.#leafId = null;
  }

  #assertEntry(id: string): void {
    if (!this.#byId.has(id)) throw new Error(`Entry ${id} not found`);
  }

  #append(fields: NewEntry): SessionEntry {
    // Never earlier than the entry before, even when the clock moves back: order on the branch is order in time.
    this.#lastTimestamp = Math.max(this.#lastTimestamp, Date.now());
    const { type, ...rest } = fields;
    const entry = {
      type,
      id: newEntryId((id) => this.#byId.has(id)),
      parentId: this.#leafId,
      timestamp: new Date(this.#lastTimestamp).toISOString(),
      ...rest,
    } as SessionEntry;
    this.#write(entry);
    this.#entries.push(entry);
    this.#byId.set(entry.id, entry);
    this.#leafId = entry.id;
    return entry;
  }

  #write(entry: SessionEntry): void {
    if (!this.#file) return;
    if (this.#log) {
      this.#log.append(JSON.stringify(entry));
    } else if (startsFile(entry)) {
      const lines = [this.#header, ...this.#entries, entry].map((line) => JSON.stringify(line));
      this.#log = AppendLog.create(this.#file, lines);
    }
  }

  #load(file: string, cwdOverride: string | undefined): void {
    this.#file = file;
    if (isDirectory(file)) {
      throw new Error(`Session file is a directory: ${file}. Name a session file (.jsonl) or a session id.`);
    }
    const size = fileSize(file);
    if (size === undefined) return;
    if (size === 0) {
      this.#log = AppendLog.open(file);
      this.#log.append(JSON.stringify(this.#header));
      return;
    }
    const { header, entries } = readSessionFile(file);
    const migrated = this.#take(entries);
    // The old version is not mixed with new entries: the file changes in one step, before anything is appended.
    if (migrated) replaceFile(file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
    this.#cwd = cwdOverride ?? (typeof header.cwd === "string" ? header.cwd : process.cwd());
    this.#log = AppendLog.open(file);
  }

  /** Returns whether the entries were of an older version. */
  #take(loaded: FileEntry[]): boolean {
    const migrated = migrateSessionEntries(loaded);
    this.#header = loaded.find(isSessionHeader) ?? this.#header;
    // What has no id can be nobody's parent or leaf: it stays in the file only.
    this.#entries = loaded.filter(
      (entry): entry is SessionEntry => entry.type !== "session" && typeof entry.id === "string",
    );
    this.#byId = new Map();
    for (const entry of this.#entries) if (!this.#byId.has(entry.id)) this.#byId.set(entry.id, entry);
    const last = this.#entries.at(-1);
    this.#leafId = last?.id ?? null;
    this.#lastTimestamp = last ? timeOf(last.timestamp) : 0;
    return migrated;
  }
}

function newHeader(cwd: string, { id, parentSession }: NewSessionOptions): SessionHeader {
  if (id !== undefined) assertSessionId(id);
  return {
    type: "session",
    version: CURRENT_SESSION_VERSION,
    id: id ?? uuidv7(),
    timestamp: new Date().toISOString(),
    cwd,
    ...(parentSession && { parentSession }),
  };
}

function dirFor(cwd: string, sessionDir: string | undefined): string {
  return sessionDir ? resolveUserPath(sessionDir) : defaultSessionDir(getAgentDir(), cwd);
}

/** A conversation nobody has spoken in leaves no file. */
function startsFile(entry: SessionEntry): boolean {
  return entry.type === "message" && (entry.message.role === "user" || entry.message.role === "assistant");
}
