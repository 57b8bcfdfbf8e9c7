/** Finding session files by their headers. Source: sessions.md section 1. */
import { filesByAge } from "../storage/files.js";
import { readLines } from "../storage/read-lines.js";
import type { SessionHeader } from "./entries.js";
import { isSessionHeader, parseLine } from "./parse.js";

/** Headers are found within this many bytes, or the file is not considered in look-ups. */
const headerScanLimit = 1 << 20;

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
