/** Reading session files. Source: sessions.md section 1. */
import { filesByAge } from "../storage/files.js";
import { readLines } from "../storage/read-lines.js";
import type { FileEntry, SessionHeader } from "./entries.js";
import { isSessionHeader, parseLine } from "./parse.js";

/** Headers are found within this many bytes, or the file is not considered in look-ups. */
const headerScanLimit = 1 << 20;

/**
 * All entries of a session file, the header first.
 * @throws `Session file is not a valid pi session: <path>` when the first line that parses is no header
 */
export function readSessionFile(path: string): { header: SessionHeader; entries: FileEntry[] } {
  const entries: FileEntry[] = [];
  for (const line of readLines(path)) {
    const entry = parseLine(line);
    if (entry) entries.push(entry);
  }
  const header = entries[0];
  if (!isSessionHeader(header)) throw new Error(`Session file is not a valid pi session: ${path}`);
  return { header, entries };
}

/** The header alone, or undefined for a file that is no session or cannot be read. */
export function readSessionHeader(path: string): SessionHeader | undefined {
  try {
    for (const line of readLines(path, headerScanLimit)) {
      const entry = parseLine(line);
      if (entry) return isSessionHeader(entry) ? entry : undefined;
    }
  } catch {
    // Look-ups pass over files they cannot read; opening one reports why.
  }
  return undefined;
}

/** Sessions of a folder with their headers, newest file first. */
export function* sessionsIn(dir: string): Generator<{ path: string; header: SessionHeader }> {
  for (const { path } of filesByAge(dir, ".jsonl")) {
    const header = readSessionHeader(path);
    if (header) yield { path, header };
  }
}
