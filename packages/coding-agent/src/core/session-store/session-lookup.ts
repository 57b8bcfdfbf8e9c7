/** Finding session files by their headers. Source: sessions.md section 1. */
import { filesByAge, readTail } from "../storage/files.js";
import { readLines } from "../storage/read-lines.js";
import type { SessionHeader } from "./entries.js";
import { isSessionHeader, parseLine } from "./parse.js";
import { encodeCwd } from "./paths.js";
import { timeOf } from "./repair.js";

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

export interface FoundSession {
  path: string;
  header: SessionHeader;
  /** Of the file, unix time in ms. */
  modified: number;
}

/** Sessions of a folder with their headers, newest file first. */
export function* sessionsIn(dir: string): Generator<FoundSession> {
  for (const { path, modified } of filesByAge(dir, ".jsonl")) {
    const header = readSessionHeader(path);
    if (header) yield { path, header, modified };
  }
}

/** Files are touched by copying and renaming, so of this many newest ones the time of the last entry decides. */
const candidates = 10;
const tailBytes = 1 << 16;
const entryTime = /^\{"type":"[a-z_]+","id":"[^"\\]*","parentId":(?:null|"[^"\\]*"),"timestamp":"([^"\\]+)"/;

/** The last used first. @param sessions the newest file first */
export function latestFirst(sessions: readonly FoundSession[]): FoundSession[] {
  const dated = sessions.slice(0, candidates).map((session) => ({ session, used: lastUsed(session) }));
  const sorted = dated.sort((a, b) => b.used - a.used).map(({ session }) => session);
  return [...sorted, ...sessions.slice(candidates)];
}

/** Time of the last entry, looked for at the end of the file; that of the file where none is found. */
function lastUsed({ path, modified }: FoundSession): number {
  try {
    const times = readTail(path, tailBytes)
      .split("\n")
      .map((line) => timeOf(entryTime.exec(line)?.[1]));
    return times.findLast((time) => time > 0) ?? modified;
  } catch {
    return modified;
  }
}

/**
 * Which sessions of a folder belong to a directory: in a folder of one's own choice those that say so, in the default
 * one all but those of a directory that shares its name.
 */
export function acceptsFor(cwd: string, sessionDir: string | undefined): (header: SessionHeader) => boolean {
  return ({ cwd: named }) => {
    if (isSamePath(named, cwd)) return true;
    return sessionDir === undefined && (typeof named !== "string" || encodeCwd(named) !== encodeCwd(cwd));
  };
}

/** Of the sessions in a folder those that belong to a directory, newest file first. */
export function ownSessions(dir: string, cwd: string, sessionDir: string | undefined): FoundSession[] {
  const isOwn = acceptsFor(cwd, sessionDir);
  return [...sessionsIn(dir)].filter(({ header }) => isOwn(header));
}

/** Whether two directories are one by name: Windows does not tell upper from lower case. */
export function isSamePath(a: unknown, b: string): boolean {
  if (typeof a !== "string") return false;
  return process.platform === "win32" ? a.toLowerCase() === b.toLowerCase() : a === b;
}
