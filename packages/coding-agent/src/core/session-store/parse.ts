/** Lines to entries, and old formats to the current one. Source: sessions.md section 1. */
import { randomUUID } from "node:crypto";
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
  if (!header) return false;
  const version: unknown = header.version ?? 1;
  // A version that is no number says nothing about the entries: they are taken as they are.
  if (typeof version !== "number") return false;
  if (version >= CURRENT_SESSION_VERSION) return false;
  if (version < 2) linkEntries(entries);
  if (version < 3) renameHookMessages(entries);
  header.version = CURRENT_SESSION_VERSION;
  return true;
}

/** 1 -> 2: a list becomes a tree with one branch. */
function linkEntries(entries: FileEntry[]): void {
  const taken = new Set<string>();
  let parentId: string | null = null;
  for (const entry of entries) {
    if (entry.type === "session") continue;
    entry.id = newEntryId((id) => taken.has(id));
    taken.add(entry.id);
    entry.parentId = parentId;
    parentId = entry.id;
  }
  for (const entry of entries) {
    if (entry.type !== "compaction") continue;
    const old = entry as SessionEntry & { firstKeptEntryIndex?: number };
    if (old.firstKeptEntryIndex === undefined) continue;
    const kept = entries[old.firstKeptEntryIndex];
    if (kept && kept.type !== "session") entry.firstKeptEntryId = kept.id;
    delete old.firstKeptEntryIndex;
  }
}

/** 2 -> 3: messages of extensions got another role. */
function renameHookMessages(entries: FileEntry[]): void {
  for (const entry of entries) {
    if (entry.type !== "message") continue;
    const message = entry.message as { role: string } | undefined;
    if (message?.role === "hookMessage") message.role = "custom";
  }
}
