/** The folder that a start looks for sessions in, which may not let itself be looked into. */
import { SessionManager } from "../core/session-manager.js";
import { defaultSessionDir, resolveUserPath } from "../core/session-store/paths.js";
import { type FoundSession, sessionsIn, unreadableWithId } from "../core/session-store/session-lookup.js";
import { folderProblem, listingProblem } from "../core/storage/folder-problem.js";
import { StartError } from "./start-error.js";

export interface SessionPlace {
  cwd: string;
  agentDir: string;
  /** From `--session-dir`, the environment or the settings. */
  sessionDir: string | undefined;
}

/**
 * Path of the session of exactly this id. A folder that can be neither read nor written has none: that no session is saved
 * there is told by whoever makes one.
 * @throws StartError where a session would be made without knowing whether there is one
 */
export function sessionOfId(id: string, options: SessionPlace): string | undefined {
  const { cwd, sessionDir } = options;
  const folder = sessionFolder(options);
  const problem = listingProblem(folder);
  if (problem === undefined) return SessionManager.findById(cwd, id, sessionDir);
  // Nobody knows whether there is one.
  if (sessionDir !== undefined || folderProblem(folder) === undefined) {
    throw unlistedError(folder, problem);
  }
  return undefined;
}

/** Whether there is a session of this id, or a file of its name that nobody can read. */
export function hasSession(id: string, options: SessionPlace): boolean {
  if (sessionOfId(id, options) !== undefined) return true;
  const folder = sessionFolder(options);
  return listingProblem(folder) === undefined && unreadableWithId(folder, (named) => named === id) !== undefined;
}

/** @throws StartError that names the file: a session that cannot be read is not one that is missing */
export function assertNoneUnreadable(isWanted: (id: string) => boolean, options: SessionPlace): void {
  const folder = sessionFolder(options);
  if (listingProblem(folder) !== undefined) return;
  const found = unreadableWithId(folder, isWanted);
  if (!found) return;
  const advice = "It is left as it is: make it readable, or move it away. Pick another session: pi --resume";
  throw new StartError(`Error: Session file cannot be read: ${found.path}: ${found.reason}\n${advice}`);
}

/** Where the sessions of a start lie. */
export function sessionFolder({ cwd, agentDir, sessionDir }: SessionPlace): string {
  return sessionDir ? resolveUserPath(sessionDir, cwd) : defaultSessionDir(agentDir, cwd);
}

/** The error for a folder that nobody knows the sessions of. @param problem as `listingProblem` says */
export function unlistedError(folder: string, problem: string): StartError {
  const advice = "Allow this user to read it, or name another one with --session-dir.";
  return new StartError(`Error: Session folder cannot be read: ${folder} ${problem}\n${advice}`);
}

/** The sessions of a folder. One that may not be read is named, and hides no other. */
export function readableSessions(folder: string, warn: (text: string) => void): FoundSession[] {
  const problem = listingProblem(folder);
  if (problem === undefined) return sessionsIn(folder);
  warn(`Session folder cannot be read: ${folder} ${problem}`);
  return [];
}
