/** Which session a start goes on with. Source: cli-and-config.md section 1.7. */
import { SessionManager } from "../core/session-manager.js";
import { assertSessionId, defaultSessionDir, resolveUserPath } from "../core/session-store/paths.js";
import { sessionsIn } from "../core/session-store/session-lookup.js";
import { isDirectory } from "../core/storage/files.js";
import type { Args } from "./args.js";

/** An error whose text is the whole line for the user, with its exit code. */
export class StartError extends Error {
  readonly code = "start";
}

export interface SessionSelectionOptions {
  args: Args;
  cwd: string;
  agentDir: string;
  /** From `--session-dir`, the environment or the settings. */
  sessionDir: string | undefined;
  warn: (text: string) => void;
}

/**
 * Leaves nothing on disk before the first message, but the copy of a fork.
 * @throws StartError with the text for stderr
 */
export function selectSession({ args, cwd, agentDir, sessionDir, warn }: SessionSelectionOptions): SessionManager {
  assertNoConflicts(args);
  if (args.sessionId !== undefined) assertSessionId(args.sessionId);
  const find = (text: string) => findSession(text, sessionDir ?? defaultSessionDir(agentDir, cwd), cwd);
  if (args.noSession) return SessionManager.inMemory(cwd, { id: args.sessionId });
  if (args.fork !== undefined) {
    if (args.sessionId !== undefined && SessionManager.findById(cwd, args.sessionId, sessionDir)) {
      throw new StartError(`Session already exists with id '${args.sessionId}'`);
    }
    return SessionManager.forkFrom(find(args.fork), cwd, sessionDir, { id: args.sessionId });
  }
  if (args.session !== undefined) return openSession(find(args.session), sessionDir, cwd);
  if (args.continue) return SessionManager.continueRecent(cwd, sessionDir, { lazyFolder: true });
  if (args.sessionId !== undefined) {
    const path = SessionManager.findById(cwd, args.sessionId, sessionDir);
    if (path) return openSession(path, sessionDir, cwd);
    warn(`No project session found with id '${args.sessionId}'; creating a new session with that id.`);
  }
  return SessionManager.create(cwd, sessionDir, { id: args.sessionId, lazyFolder: true });
}

/** A path as it is; otherwise an exact id, then the newest session whose id begins so. */
function findSession(text: string, dir: string, cwd: string): string {
  if (/[/\\]/.test(text) || text.endsWith(".jsonl")) return resolveUserPath(text, cwd);
  const sessions = [...sessionsIn(dir)];
  const match =
    sessions.find(({ header }) => header.id === text) ?? sessions.find(({ header }) => header.id.startsWith(text));
  if (!match) throw new StartError(`No session found matching '${text}'`);
  return match.path;
}

/** The session runs in its own working directory, which must exist. */
function openSession(path: string, sessionDir: string | undefined, cwd: string): SessionManager {
  const manager = SessionManager.open(path, sessionDir, undefined, { lazyFolder: true });
  if (!isDirectory(manager.getCwd())) {
    throw new StartError(
      `Stored session working directory does not exist: ${manager.getCwd()}\nSession file: ${path}\n` +
        `Current working directory: ${cwd}`,
    );
  }
  return manager;
}

function assertNoConflicts(args: Args): void {
  const given = (names: readonly (readonly [string, unknown])[]) =>
    names.filter(([, value]) => value !== undefined && value !== false).map(([name]) => name);
  const session = ["--session", args.session] as const;
  const others = [session, ["--continue", args.continue] as const, ["--resume", args.resume] as const];
  if (args.fork !== undefined) {
    const conflicts = given([...others, ["--no-session", args.noSession]]);
    if (conflicts.length > 0) throw new StartError(`Error: --fork cannot be combined with ${conflicts.join(", ")}`);
  }
  if (args.sessionId !== undefined) {
    const conflicts = given(others);
    if (conflicts.length > 0) {
      throw new StartError(`Error: --session-id cannot be combined with ${conflicts.join(", ")}`);
    }
  }
}
