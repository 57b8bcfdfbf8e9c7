/** Which session a start goes on with. Source: cli-and-config.md section 1.7. */
import { join } from "node:path";
import { askAboutMissingCwd } from "../core/session-cwd.js";
import { SessionManager } from "../core/session-manager.js";
import { claimSessionId } from "../core/session-store/claim-id.js";
import { assertSessionId, defaultSessionDir, resolveUserPath } from "../core/session-store/paths.js";
import { MissingSessionCwdError } from "../core/session-store/session-errors.js";
import { acceptsFor, type FoundSession, latestFirst, sessionsIn } from "../core/session-store/session-lookup.js";
import { foldersIn, isDirectory, statIfExists } from "../core/storage/files.js";
import { folderProblem, roomProblem } from "../core/storage/folder-problem.js";
import type { Args } from "./args.js";
import { missingFileAdvice } from "./missing-file.js";

/** An error whose text is the whole line for the user, with its exit code. */
export class StartError extends Error {
  readonly code = "start";

  constructor(
    message: string,
    readonly exitCode: number = 1,
  ) {
    super(message);
  }
}

export interface SessionSelectionOptions {
  args: Args;
  cwd: string;
  agentDir: string;
  /** From `--session-dir`, the environment or the settings. */
  sessionDir: string | undefined;
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
    if (args.sessionId !== undefined && SessionManager.findById(cwd, args.sessionId, sessionDir)) {
      throw new StartError(
        `Session already exists with id '${args.sessionId}'\nGo on with it: pi --session-id ${args.sessionId}. Or choose another id.`,
      );
    }
    const { path } = findSession(args.fork, options);
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
    const recent = SessionManager.continueRecent(cwd, sessionDir, { lazyFolder: true });
    return isNew(recent) ? (unsaved(options) ?? recent) : recent;
  }
  if (args.sessionId !== undefined) {
    const giveUp = claimSessionId(args.sessionId, cwd, sessionDir);
    const path = SessionManager.findById(cwd, args.sessionId, sessionDir);
    if (path) {
      giveUp();
      return openSession(path, options);
    }
    warn(`No project session found with id '${args.sessionId}'; creating a new session with that id.`);
  }
  return unsaved(options) ?? SessionManager.create(cwd, sessionDir, { id: args.sessionId, lazyFolder: true });
}

/**
 * A session in memory where the usual folder lets nobody write: better an answer that is not kept than none. A folder that
 * the user named is another matter: they count on it.
 */
function unsaved({ args, cwd, agentDir, sessionDir, warn }: SessionSelectionOptions): SessionManager | undefined {
  if (sessionDir !== undefined) return undefined;
  const folder = defaultSessionDir(agentDir, cwd);
  const problem = folderProblem(folder) ?? roomProblem(folder);
  if (problem === undefined) return undefined;
  warn(`This session is not saved: ${folder} ${problem}. Name another place with --session-dir.`);
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
function findSession(text: string, { cwd, agentDir, sessionDir, warn }: SessionSelectionOptions): NamedSession {
  if (/[/\\]/.test(text) || text.endsWith(".jsonl")) return { path: resolveUserPath(text, cwd) };
  // Every id begins with nothing.
  if (text === "") throw new StartError(notFoundText(""));
  const ownFolder = sessionDir ?? defaultSessionDir(agentDir, cwd);
  const isOwn = acceptsFor(cwd, sessionDir);
  const here = readableSessions(ownFolder, warn);
  const own = matching(
    here.filter(({ header }) => isOwn(header)),
    text,
    warn,
  );
  if (own) return { path: own.path };
  // A folder may be shared by several projects.
  const neighbours = here.filter(({ header }) => !isOwn(header));
  const folders = foldersIn(join(agentDir, "sessions")).filter((folder) => folder !== ownFolder);
  const other = matching([...neighbours, ...folders.flatMap((folder) => readableSessions(folder, warn))], text, warn);
  if (!other) throw new StartError(notFoundText(text));
  return { path: other.path, otherProject: other.header.cwd };
}

/** The sessions of a folder. One that may not be read is named, and hides no other. */
function readableSessions(folder: string, warn: (text: string) => void): FoundSession[] {
  try {
    return [...sessionsIn(folder)];
  } catch (error) {
    warn(`Session folder cannot be read: ${folder}: ${(error as Error).message}`);
    return [];
  }
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
