/** Lists of sessions. Source: sessions.md section 9. */
import { setImmediate } from "node:timers/promises";
import { filesByAge, foldersIn } from "../storage/files.js";
import { listingProblem } from "../storage/folder-problem.js";
import { FileScanner } from "../storage/scan-lines.js";
import type { SessionHeader } from "./entries.js";
import { resolveUserPath } from "./paths.js";
import { type SessionInfo, SessionSummary } from "./session-summary.js";

/** Called with sorted partial lists now and then. */
export type SessionListProgress = (loaded: number, total: number, partial?: readonly SessionInfo[]) => void;

export interface SessionListOptions {
  onProgress?: SessionListProgress | undefined;
  signal?: AbortSignal | undefined;
  /** Files between two partial lists. */
  partialEvery: number;
  /** Leaves out sessions of other directories. */
  accepts?: ((header: SessionHeader) => boolean) | undefined;
}

/** Other work gets its turn after so many ms. */
const sliceMs = 10;

/**
 * The sessions in these folders, last used first. Files that cannot be read or are no sessions are left out; of each no
 * more than a line is in memory beside what is returned.
 * @throws the reason of the signal; for a single folder that cannot be read
 */
export async function listSessions(
  folders: readonly string[],
  { onProgress, signal, partialEvery, accepts = () => true }: SessionListOptions,
): Promise<SessionInfo[]> {
  signal?.throwIfAborted();
  const [only] = folders.length === 1 ? folders : [];
  if (only !== undefined) assertListable(only);
  const files = folders.flatMap(readableFiles);
  const sessions: SessionInfo[] = [];
  const scanner = new FileScanner();
  let sliceEnd = performance.now() + sliceMs;
  for (const [index, { path, modified }] of files.entries()) {
    const info = readSessionInfo(scanner, path, modified, accepts);
    if (info) sessions.push(info);
    const loaded = index + 1;
    const hasPartial = loaded === 1 || loaded % partialEvery === 0 || loaded === files.length;
    onProgress?.(loaded, files.length, hasPartial ? byModified(sessions) : undefined);
    if (performance.now() < sliceEnd) continue;
    await setImmediate();
    signal?.throwIfAborted();
    sliceEnd = performance.now() + sliceMs;
  }
  return byModified(sessions);
}

/** Nobody must take a folder that cannot be looked into for one without sessions. */
function assertListable(folder: string): void {
  const problem = listingProblem(folder);
  if (problem !== undefined) throw new Error(`Session folder cannot be read: ${folder} ${problem}`);
}

/** One folder that may not be read must not hide the sessions of others. */
function readableFiles(folder: string): ReturnType<typeof filesByAge> {
  try {
    return filesByAge(folder, ".jsonl");
  } catch {
    return [];
  }
}

/** As `SessionManager.listAll`: the folder may be left out. @param root of the folders of all directories */
export async function listAllSessions(
  root: string,
  first?: string | SessionListProgress,
  second?: SessionListProgress | AbortSignal,
  third?: AbortSignal,
): Promise<SessionInfo[]> {
  if (typeof first !== "string") assertListable(root);
  const folders = typeof first === "string" ? [resolveUserPath(first)] : foldersIn(root);
  const onProgress = typeof first === "function" ? first : typeof second === "function" ? second : undefined;
  const signal = third ?? (second instanceof AbortSignal ? second : undefined);
  return listSessions(folders, { onProgress, signal, partialEvery: 100 });
}

function byModified(sessions: readonly SessionInfo[]): SessionInfo[] {
  return sessions.toSorted((a, b) => b.modified.getTime() - a.modified.getTime());
}

function readSessionInfo(
  scanner: FileScanner,
  path: string,
  fileTime: number,
  accepts: (header: SessionHeader) => boolean,
): SessionInfo | undefined {
  try {
    const summary = new SessionSummary(accepts);
    scanner.scan(path, (bytes, at, end) => summary.add(bytes, at, end));
    return summary.info(path, fileTime);
  } catch {
    // A list is not the place to say why a file cannot be read; opening it is.
    return undefined;
  }
}
