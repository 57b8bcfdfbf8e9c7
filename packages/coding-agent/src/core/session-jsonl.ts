/** Sessions as files of their own: export and import. Source: sessions.md sections 4 and 8. */
import { basename, dirname, join, resolve } from "node:path";
import type { SessionManager } from "./session-manager.js";
import { resolveUserPath } from "./session-store/paths.js";
import { SessionImportFileNotFoundError } from "./session-store/session-errors.js";
import { isSamePath } from "./session-store/session-lookup.js";
import { freeName } from "./session-store/side-files.js";
import { writePieces } from "./storage/atomic-file.js";
import { copyOnce, isDirectory, isSameFile, statIfExists } from "./storage/files.js";
import { assertReadable } from "./storage/read-text.js";

/**
 * Writes the active branch as a session file; one that exists is replaced.
 * @param path default `session-<time>.jsonl` in the process's directory
 * @returns its absolute path
 * @throws `Cannot export a session over its own file: <path>`: its other branches would be lost
 */
export function exportSessionJsonl(manager: SessionManager, path?: string): string {
  const name = `session-${new Date().toISOString().replace(/[:.]/g, "-")}.jsonl`;
  const target = resolveUserPath(path ?? resolve(name));
  assertNotOwnFile(manager, target);
  writePieces(target, manager.branchFile());
  return target;
}

/** @throws `Cannot export a session over its own file: <path>` */
export function assertNotOwnFile(session: Pick<SessionManager, "getSessionFile">, target: string): void {
  const own = session.getSessionFile();
  if (own === undefined || !(isSamePath(own, target) || isSameFile(own, target))) return;
  throw new Error(`Cannot export a session over its own file: ${target}`);
}

/** @throws SessionImportFileNotFoundError; UnreadableFileError for what is there and no file */
export function assertImportable(path: string): void {
  if (!isDirectory(path)) assertReadable(path);
  if (!statIfExists(path)?.isFile()) throw new SessionImportFileNotFoundError(path);
}

/**
 * Brings a session file into a session folder, under its own name or one with a number. One that lies there already is
 * used as it is.
 * @returns where it lies, and whether that is a copy
 * @throws SessionImportFileNotFoundError
 */
export function importSessionFile(path: string, sessionDir: string): { path: string; isCopy: boolean } {
  const source = resolveUserPath(path);
  assertImportable(source);
  if (dirname(source) === resolve(sessionDir)) return { path: source, isCopy: false };
  let target = join(sessionDir, basename(source));
  while (!copyOnce(source, target)) target = freeName(join(sessionDir, basename(source)));
  return { path: target, isCopy: true };
}
