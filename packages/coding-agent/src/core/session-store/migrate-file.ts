/** Files of older format versions, brought to the current one line by line. Source: sessions.md section 1. */
import { replaceKeeping } from "../storage/create-file.js";
import { readLines } from "../storage/read-lines.js";
import type { FileEntry, SessionEntry, SessionHeader } from "./entries.js";
import { isSessionHeader, parseLine, SessionMigration } from "./parse.js";
import { backupName } from "./side-files.js";

/** The lines of a session file in the current format, the header first. */
export function* migratedEntries(path: string): Generator<SessionHeader | SessionEntry, void> {
  let migration: SessionMigration | undefined;
  for (const line of readLines(path)) {
    const entry = parseLine(line);
    if (!entry) continue;
    if (isSessionHeader(entry)) migration ??= new SessionMigration(entry);
    migration?.apply(entry);
    yield entry;
  }
}

/** Replaces the file by one in the current format, in one step; the old one is kept as `<file>.bak`. */
export function replaceByMigrated(path: string): void {
  replaceKeeping(path, backupName(path), linesOf(migratedEntries(path)));
}

function* linesOf(entries: Iterable<FileEntry>): Generator<Buffer, void> {
  for (const entry of entries) yield Buffer.from(`${JSON.stringify(entry)}\n`);
}
