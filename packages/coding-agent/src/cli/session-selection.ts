/** Which session a start goes on with. Source: cli-and-config.md section 1.7. */
import { join } from "node:path";
import { askAboutMissingCwd } from "../core/session-cwd.js";
import { SessionManager } from "../core/session-manager.js";
import { claimSessionId } from "../core/session-store/claim-id.js";
import { assertSessionId, resolveUserPath } from "../core/session-store/paths.js";
import { MissingSessionCwdError } from "../core/session-store/session-errors.js";
import { acceptsFor, type FoundSession, latestFirst } from "../core/session-store/session-lookup.js";
import { foldersIn, isDirectory, statIfExists } from "../core/storage/files.js";
import { folderProblem, listingProblem, roomProblem } from "../core/storage/folder-problem.js";
import { assertReadable } from "../core/storage/read-text.js";
import type { Args } from "./args.js";
import { missingFileAdvice } from "./missing-file.js";
import {
  assertNoneUnreadable,
  hasSession,
  readableSessions,
  type SessionPlace,
  sessionFolder,
  sessionOfId,
  unlistedError,
} from "./session-folder.js";
import { StartError } from "./start-error.js";

export interface SessionSelectionOptions extends SessionPlace {
  args: Args;
  warn: (text: string) => void;
  /** Asks the user, who may not be there: no answer is a no. Undefined where nobody can be asked. */
  confirm: ((question: string) => Promise<boolean>) | undefined;
  /** Lets the user choose one of several; undefined where nobody can. */
  select?: ((title: string, labels: string[]) => Promise<string | undefined>) | undefined;
  /** Lets the user choose a file for `--resume`; undefined where nobody can. */
  pickSession?: ((sessionDir: string | undefined) => Promise<string | undefined>) | undefined;
}

/**
 * Leaves nothing on disk before the first message, but the copy of a fork.
 * @throws StartError with the text for stderr
 */
export async function selectSession(options: SessionSelectionOptions): Promise<SessionManager> {
  const { args, cwd, sessionDir, warn } = options;
  assertNoConflicts(args);
  if (args.sessionId !== undefined) checkSessionId(args.sessionId);
  if (args.noSession) return SessionManager.inMemory(cwd, { id: args.sessionId });
  if (args.fork !== undefined) {
    const giveUp = args.sessionId === undefined ? undefined : claimSessionId(args.sessionId, cwd, sessionDir);
    if (args.sessionId !== undefined && hasSession(args.sessionId, options)) {
      throw new StartError(
        `Session already exists with id '${args.sessionId}'\nGo on with it: pi --session-id ${args.sessionId}. Or choose another id.`,
      );
    }
    const { path } = findSession(args.fork, options);
    assertReadable(path);
    if (!statIfExists(path)) {
      const what = `Error: Cannot fork: source session file is empty or invalid: ${path}`;
      throw new StartError(`${what}\n${missingFileAdvice(path)}`);
    }
    const fork = SessionManager.forkFrom(path, cwd, sessionDir, { id: args.sessionId });
    giveUp?.();
    return fork;
  }
  if (args.session !== undefined) return openNamed(args.session, options);
  if (args.resume) {
    if (!options.pickSession)
      throw new StartError("Error: --resume needs a terminal\nUse --continue, or --session <id>.");
    const path = await options.pickSession(sessionDir);
    if (path === undefined) throw new StartError("No session selected", 0);
    return openSession(path, options);
  }
  if (args.continue) {
    return continueRecent(options);
  }
  if (args.sessionId !== undefined) {
    const giveUp = claimSessionId(args.sessionId, cwd, sessionDir);
    const path = sessionOfId(args.sessionId, options);
    if (path === undefined) assertNoneUnreadable((id) => id === args.sessionId, options);
    if (path) {
      giveUp();
      return openSession(path, options);
    }
    warn(`No project session found with id '${args.sessionId}'; creating a new session with that id.`);
  }
  return unsaved(options) ?? SessionManager.create(cwd, sessionDir, { id: args.sessionId, lazyFolder: true });
}

/** The last session, or a new one; the diagnostics of that say what could not be read. */
function continueRecent(options: SessionSelectionOptions): SessionManager {
  const { cwd, sessionDir, warn } = options;
  let recent: SessionManager;
  try {
    recent = SessionManager.continueRecent(cwd, sessionDir, { lazyFolder: true });
  } catch (error) {
    const folder = sessionFolder(options);
    const problem = listingProblem(folder);
    if (problem === undefined) throw error;
    const inMemory = unsaved(options, "No earlier session can be read, and this one is not saved");
    if (inMemory) return inMemory;
    if (sessionDir !== undefined) throw unlistedError(folder, problem);
    warn(`No earlier session can be read, so a new one begins: ${folder} ${problem}.`);
    return SessionManager.create(cwd, sessionDir, { lazyFolder: true });
  }
  const inMemory = isNew(recent) ? unsaved(options) : undefined;
  if (!inMemory) return recent;
  for (const { message } of recent.drainDiagnostics()) warn(message);
  return inMemory;
}

/**
 * A session in memory where the usual folder lets nobody write: better an answer that is not kept than none. A folder that
 * the user named is another matter: they count on it.
 * @param what comes of it
 */
function unsaved(options: SessionSelectionOptions, what = "This session is not saved"): SessionManager | undefined {
  const { args, cwd, sessionDir, warn } = options;
  if (sessionDir !== undefined) return undefined;
  const folder = sessionFolder(options);
  const problem = folderProblem(folder) ?? roomProblem(folder);
  if (problem === undefined) return undefined;
  warn(`${what}: ${folder} ${problem}. Name another place with --session-dir.`);
  return SessionManager.inMemory(cwd, { id: args.sessionId });
}

function isNew(session: SessionManager): boolean {
  const file = session.getSessionFile();
  return file === undefined || statIfExists(file) === undefined;
}

function checkSessionId(id: string): void {
  try {
    assertSessionId(id);
  } catch (error) {
    throw new StartError(`Error: ${(error as Error).message}\nFor example: --session-id release-1.2`);
  }
}

/** A session of another project is not gone on with there: it is copied here, if that is wanted. */
async function openNamed(text: string, options: SessionSelectionOptions): Promise<SessionManager> {
  const { cwd, sessionDir, confirm } = options;
  const { path, otherProject } = findSession(text, options);
  if (otherProject === undefined) return openSession(path, options);
  if (!confirm) {
    throw new StartError(
      `Session found in different project: ${otherProject}. Copy it into the current directory with --fork ${text}`,
    );
  }
  const question = `Session found in different project: ${otherProject}\nFork this session into current directory? [y/N] `;
  if (!(await confirm(question))) throw new StartError("Aborted.", 0);
  return SessionManager.forkFrom(path, cwd, sessionDir);
}

function notFoundText(text: string): string {
  return `No session found matching '${text}'\nPick one: pi --resume. A path has a slash in it or ends in .jsonl.`;
}

interface NamedSession {
  path: string;
  /** Its directory, when it is not of this project. */
  otherProject?: string;
}

/** A path as it is; otherwise an exact id, then an id that begins so, here and then in all projects. */
function findSession(text: string, options: SessionSelectionOptions): NamedSession {
  const { cwd, agentDir, sessionDir, warn } = options;
  if (/[/\\]/.test(text) || text.endsWith(".jsonl")) return { path: resolveUserPath(text, cwd) };
  // Every id begins with nothing.
  if (text === "") throw new StartError(notFoundText(""));
  const ownFolder = sessionFolder(options);
  const isOwn = acceptsFor(cwd, sessionDir);
  const here = readableSessions(ownFolder, warn);
  const own = matching(
    here.filter(({ header }) => isOwn(header)),
    text,
    warn,
  );
  if (own?.header.id !== text) assertNoneUnreadable((id) => id === text, options);
  if (own) return { path: own.path };
  // A folder may be shared by several projects.
  const neighbours = here.filter(({ header }) => !isOwn(header));
  const root = join(agentDir, "sessions");
  const folders = listingProblem(root) === undefined ? foldersIn(root).filter((folder) => folder !== ownFolder) : [];
  const other = matching([...neighbours, ...folders.flatMap((folder) => readableSessions(folder, warn))], text, warn);
  if (!other) assertNoneUnreadable((id) => id.startsWith(text), options);
  if (!other) throw new StartError(notFoundText(text));
  return { path: other.path, otherProject: other.header.cwd };
}

/** Of several whose id begins so the last used one; the others are named. */
function matching(
  sessions: Iterable<FoundSession>,
  text: string,
  warn: (text: string) => void,
): FoundSession | undefined {
  const byPrefix = [...sessions].filter(({ header }) => header.id.startsWith(text));
  const exact = byPrefix.find(({ header }) => header.id === text);
  if (exact) return exact;
  const [latest, ...others] = latestFirst(byPrefix.sort((a, b) => b.modified - a.modified));
  if (latest && others.length > 0) {
    const ids = others.map(({ header }) => header.id).join(", ");
    warn(`Several sessions match '${text}'. Using the last used one: ${latest.header.id}. The others: ${ids}`);
  }
  return latest;
}

/** The session runs in its own working directory; somebody who is there decides what to do when that is gone. */
async function openSession(
  path: string,
  { sessionDir, cwd, select }: SessionSelectionOptions,
): Promise<SessionManager> {
  const manager = opened(path, sessionDir);
  const sessionCwd = manager.getCwd();
  if (isDirectory(sessionCwd)) return manager;
  const missing = new MissingSessionCwdError({ sessionFile: path, sessionCwd, fallbackCwd: cwd });
  if (!select) {
    throw new StartError(`${missing.message}\nGo on with a copy of it in the current directory: pi --fork ${path}`);
  }
  const choice = await askAboutMissingCwd(missing, select);
  if (choice === "fork") return SessionManager.forkFrom(path, cwd, sessionDir);
  if (choice === "continue") return opened(path, sessionDir, cwd);
  throw new StartError("Aborted.", 0);
}

function opened(path: string, sessionDir: string | undefined, cwdOverride?: string): SessionManager {
  try {
    return SessionManager.open(path, sessionDir, cwdOverride, { lazyFolder: true });
  } catch (error) {
    const { message } = error as Error;
    if (!message.includes("not a valid pi session")) throw error;
    throw new StartError(`Error: ${message}\nIt is left as it is. Pick a session: pi --resume`);
  }
}

const conflictAdvice = "Each of them says which session to start with: keep one.";

function assertNoConflicts(args: Args): void {
  const given = (names: readonly (readonly [string, unknown])[]) =>
    names.filter(([, value]) => value !== undefined && value !== false).map(([name]) => name);
  const session = ["--session", args.session] as const;
  const others = [session, ["--continue", args.continue] as const, ["--resume", args.resume] as const];
  if (args.fork !== undefined) {
    const conflicts = given([...others, ["--no-session", args.noSession]]);
    if (conflicts.length > 0)
      throw new StartError(`Error: --fork cannot be combined with ${conflicts.join(", ")}\n${conflictAdvice}`);
  }
  if (args.sessionId !== undefined) {
    const conflicts = given(others);
    if (conflicts.length > 0) {
      throw new StartError(`Error: --session-id cannot be combined with ${conflicts.join(", ")}\n${conflictAdvice}`);
    }
  }
}
