/** Lines to entries, and old formats to the current one. Source: sessions.md section 1. */
import { createHash, randomUUID } from "node:crypto";
import { withMembers } from "./edit-line.js";
import { CURRENT_SESSION_VERSION, type FileEntry, type SessionEntry, type SessionHeader } from "./entries.js";

/** One line, or undefined when it is blank or not a JSON object. */
export function parseLine(line: string): FileEntry | undefined {
  if (line.trim() === "") return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as FileEntry) : undefined;
  } catch {
    // A torn or foreign line: skipped here, kept in the file.
    return undefined;
  }
}

/** All lines of a session text; lines that cannot be parsed are left out. */
export function parseSessionEntries(text: string): FileEntry[] {
  const entries: FileEntry[] = [];
  for (const line of text.split("\n")) {
    const entry = parseLine(line);
    if (entry) entries.push(entry);
  }
  return entries;
}

export function isSessionHeader(entry: FileEntry | undefined): entry is SessionHeader {
  return entry?.type === "session" && typeof entry.id === "string";
}

/** Eight hex characters that no entry of the session has yet. */
export function newEntryId(isTaken: (id: string) => boolean): string {
  for (let attempt = 0; attempt < 100; attempt++) {
    const id = randomUUID().slice(0, 8);
    if (!isTaken(id)) return id;
  }
  return randomUUID();
}

/**
 * Brings entries of older versions to the current one, in place.
 * @returns whether anything changed
 */
export function migrateSessionEntries(entries: FileEntry[]): boolean {
  const header = entries.find(isSessionHeader);
  if (!header || !isOldVersion(header.version)) return false;
  const migration = new SessionMigration(header);
  for (const entry of entries) migration.apply(entry);
  return true;
}

export function isOldVersion(version: unknown): boolean {
  return formatVersion(version) < CURRENT_SESSION_VERSION;
}

/**
 * The format version that a header names, as a number or as the text of one; absent or null is the first one. Anything
 * else says nothing about the entries: they are taken as they are.
 */
export function formatVersion(version: unknown): number {
  if (version === undefined || version === null) return 1;
  const named = typeof version === "string" && /^\d+$/.test(version.trim()) ? Number(version) : version;
  return typeof named === "number" ? named : CURRENT_SESSION_VERSION;
}

/** What a migration does to the members of an entry's line, as `withMembers` takes it. */
export type LineChange = "none" | Record<string, unknown>;

/** Brings the entries of a session to the current version, in place, in the order of the file. */
export class SessionMigration {
  readonly #header: SessionHeader;
  readonly #from: number;
  /** Ids by line; the header and lines that are no entries have none. */
  readonly #ids: (string | undefined)[] = [];
  readonly #taken = new Set<string>();
  #lastId: string | null = null;

  constructor(header: SessionHeader) {
    this.#header = header;
    this.#from = formatVersion(header.version);
    header.version = CURRENT_SESSION_VERSION;
  }

  /** Whether there is anything to do behind the header. */
  get isNeeded(): boolean {
    return isOldVersion(this.#from);
  }

  /** The header first, which has the current version already. */
  apply(entry: FileEntry): LineChange {
    if (entry === this.#header || entry.type === "session") {
      this.#ids.push(undefined);
      return entry === this.#header ? { version: CURRENT_SESSION_VERSION } : "none";
    }
    const linked = this.#from < 2 ? this.#link(entry) : "none";
    if (this.#from >= 3 || !renameHookMessage(entry)) return linked;
    return { ...(linked !== "none" && linked), message: (bytes: Buffer) => withMembers(bytes, { role: "custom" }) };
  }

  /** 1 -> 2: a list becomes a tree with one branch. */
  #link(entry: SessionEntry): LineChange {
    entry.id = this.#freeId();
    entry.parentId = this.#lastId;
    this.#lastId = entry.id;
    this.#taken.add(entry.id);
    this.#ids.push(entry.id);
    const change = { id: entry.id, parentId: entry.parentId };
    if (entry.type !== "compaction") return change;
    const old = entry as SessionEntry & { firstKeptEntryIndex?: number };
    if (old.firstKeptEntryIndex === undefined) return change;
    const kept = this.#ids[old.firstKeptEntryIndex];
    if (kept !== undefined) entry.firstKeptEntryId = kept;
    delete old.firstKeptEntryIndex;
    return { ...change, firstKeptEntryIndex: undefined, ...(kept !== undefined && { firstKeptEntryId: kept }) };
  }

  /** The same whenever the file is read: what was said while it could not be written yet still follows the same entry. */
  #freeId(): string {
    for (let attempt = 0; ; attempt++) {
      const place = `${this.#header.id} ${this.#ids.length} ${attempt}`;
      const id = createHash("sha256").update(place).digest("hex").slice(0, 8);
      if (!this.#taken.has(id)) return id;
    }
  }
}

/** 2 -> 3: messages of extensions got another role. */
function renameHookMessage(entry: SessionEntry): boolean {
  if (entry.type !== "message") return false;
  const message = entry.message as { role: string } | undefined;
  if (message?.role !== "hookMessage") return false;
  message.role = "custom";
  return true;
}
