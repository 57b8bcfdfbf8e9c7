/** Files of older format versions, brought to the current one line by line. Source: sessions.md section 1. */
import { replaceKeeping } from "../storage/create-file.js";
import { realPath } from "../storage/file-lock.js";
import { readRawLines, withoutLineFeed } from "../storage/read-lines.js";
import { withMembers } from "./edit-line.js";
import type { SessionHeader } from "./entries.js";
import { isOldVersion, isSessionHeader, type LineChange, parseLine, SessionMigration } from "./parse.js";
import { readSessionHeader } from "./session-lookup.js";
import { backupName } from "./side-files.js";
import { lineFeed } from "./stored-entry.js";

/**
 * The lines of a session file in the current format, with their line feeds: but for what the format demands the bytes of
 * the file, also of lines that cannot be read. Only a torn last line has no line feed.
 * @param onHeader told of the header before its line comes
 */
export function* migratedLines(path: string, onHeader?: (header: SessionHeader) => void): Generator<Buffer, void> {
  let migration: SessionMigration | undefined;
  for (const line of readRawLines(path)) {
    if (migration?.isNeeded === false && line.at(-1) === 0x0a) {
      yield line;
      continue;
    }
    const entry = parseLine(line.toString("utf8"));
    if (!entry) {
      yield line;
      continue;
    }
    if (!migration && isSessionHeader(entry)) {
      migration = new SessionMigration(entry);
      onHeader?.(entry);
    }
    yield lineAfter(migration?.apply(entry) ?? "none", withoutLineFeed(line));
  }
}

/** The entries of a session file in the current format, for another file: lines behind the header, without line feeds. */
export function* copiedLines(path: string): Generator<Buffer, void> {
  let isHeader = false;
  let hasHeader = false;
  const lines = migratedLines(path, () => {
    isHeader = hasHeader = true;
  });
  for (const line of lines) {
    if (hasHeader && !isHeader && line.at(-1) === 0x0a) yield withoutLineFeed(line);
    isHeader = false;
  }
}

/**
 * Replaces the file by one in the current format, in one step; the old one is kept as `<file>.bak`. One that somebody else
 * has brought there meanwhile stays.
 */
export function replaceByMigrated(path: string): void {
  // A link goes on leading to the session.
  const file = realPath(path);
  const header = readSessionHeader(file);
  if (header && !isOldVersion(header.version)) return;
  replaceKeeping(file, backupName(file), migratedLines(file));
}

/** What is not changed keeps its bytes: numbers, white space and whatever a later version makes of it. */
function lineAfter(change: LineChange, line: Buffer): Buffer {
  if (change === "none") return Buffer.concat([line, lineFeed]);
  return Buffer.concat([withMembers(line, change), lineFeed]);
}
