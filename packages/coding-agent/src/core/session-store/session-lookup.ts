/** Finding session files by their headers. Source: sessions.md section 1. */
import { basename } from "node:path";
import { fileSize, namedByAge, readTail } from "../storage/files.js";
import { readLines } from "../storage/read-lines.js";
import { assertReadable, reasonOf } from "../storage/read-text.js";
import type { SessionHeader } from "./entries.js";
import { isSessionHeader, parseLine } from "./parse.js";
import { encodeCwd } from "./paths.js";
import { timeOf } from "./repair.js";

/** Headers are found within this many bytes, or the file is not considered in look-ups. */
const headerScanLimit = 1 << 20;

/** The header alone, or undefined for a file that is no session or cannot be read. */
export function readSessionHeader(path: string): SessionHeader | undefined {
  const found = headerOf(path);
  return typeof found === "string" ? undefined : found;
}

/** The header, or why there is none: what follows the name of the file, without a full stop. */
function headerOf(path: string): SessionHeader | string {
  try {
    for (const line of readLines(path, headerScanLimit)) {
      const entry = parseLine(line);
      if (entry) return isSessionHeader(entry) ? entry : "it is no session";
    }
    return fileSize(path) === 0 ? "it is empty" : "it is no session";
  } catch (error) {
    return reasonOf(error);
  }
}

export interface FoundSession {
  path: string;
  header: SessionHeader;
  /** Of the file, unix time in ms. */
  modified: number;
}

/** What has the name of a session and cannot be read as one. */
export interface UnreadableSession {
  path: string;
  modified: number;
  /** Follows the name of the file, without a full stop. */
  reason: string;
}

/** Sessions of a folder with their headers, newest file first. */
export function sessionsIn(dir: string): FoundSession[] {
  return surveySessions(dir).sessions;
}

/** As `sessionsIn`, and what passes for a session by its name only, newest first. */
export function surveySessions(dir: string): { sessions: FoundSession[]; unreadable: UnreadableSession[] } {
  const sessions: FoundSession[] = [];
  const unreadable: UnreadableSession[] = [];
  for (const { path, modified, isFile } of namedByAge(dir, ".jsonl")) {
    const header = isFile ? headerOf(path) : reasonAgainst(path);
    if (typeof header === "string") unreadable.push({ path, modified, reason: header });
    else sessions.push({ path, header, modified });
  }
  return { sessions, unreadable };
}

/** Why what is no file cannot be read; opening a pipe as a file is opened would wait for a writer. */
function reasonAgainst(path: string): string {
  try {
    assertReadable(path);
    return "it is no session";
  } catch (error) {
    return reasonOf(error);
  }
}

/** The name says of which session the file is: `<time>_<id>.jsonl`. */
const usualName = /^[^_]*_(.+)\.jsonl$/;
const datedName = /^\d{4}-\d\d-\d\dT[\d-]+Z_/;

/** A file that is by its name the session of an id that is wanted, and cannot be read. */
export function unreadableWithId(dir: string, isWanted: (id: string) => boolean): UnreadableSession | undefined {
  return surveySessions(dir).unreadable.find(({ path }) => isWanted(usualName.exec(basename(path))?.[1] ?? ""));
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

/** Says that newer sessions than the one that is gone on with cannot be read; undefined when there are none. */
export function passedOverText(
  unreadable: readonly UnreadableSession[],
  chosen: FoundSession | undefined,
): string | undefined {
  const newer = unreadable.filter(({ modified }) => !chosen || modified >= chosen.modified);
  const [newest] = newer;
  if (!newest) return undefined;
  const which = `${newest.path}: ${newest.reason}${newer.length > 1 ? ` (so are others: ${newer.length - 1})` : ""}`;
  return chosen
    ? `The newest session cannot be read, so an older one goes on, ${chosen.path}. Unreadable: ${which}.`
    : `No session can be read to go on with, so a new one begins. Unreadable: ${which}.`;
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

/**
 * As `surveySessions`, those that belong to a directory. Of a folder of one's own choice, where other files lie too, what
 * cannot be read counts when its name is that of a session.
 */
export function surveyOwn(dir: string, cwd: string, sessionDir: string | undefined): ReturnType<typeof surveySessions> {
  const isOwn = acceptsFor(cwd, sessionDir);
  const { sessions, unreadable } = surveySessions(dir);
  return {
    sessions: sessions.filter(({ header }) => isOwn(header)),
    unreadable: unreadable.filter(({ path }) => sessionDir === undefined || datedName.test(basename(path))),
  };
}

/** Of the sessions in a folder those that belong to a directory, newest file first. */
export function ownSessions(dir: string, cwd: string, sessionDir: string | undefined): FoundSession[] {
  return surveyOwn(dir, cwd, sessionDir).sessions;
}

/** Whether two directories are one by name: Windows does not tell upper from lower case. */
export function isSamePath(a: unknown, b: string): boolean {
  if (typeof a !== "string") return false;
  return process.platform === "win32" ? a.toLowerCase() === b.toLowerCase() : a === b;
}
