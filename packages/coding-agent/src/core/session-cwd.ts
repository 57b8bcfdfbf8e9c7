import type { SessionManager } from "./session-manager.js";
import { MissingSessionCwdError } from "./session-store/session-errors.js";
import { isDirectory } from "./storage/files.js";

/** @throws MissingSessionCwdError when the directory of a stored session is gone */
export function assertSessionCwd(sessionManager: SessionManager, fallbackCwd: string): void {
  const sessionFile = sessionManager.getSessionFile();
  const sessionCwd = sessionManager.getCwd();
  if (sessionFile === undefined || isDirectory(sessionCwd)) return;
  throw new MissingSessionCwdError({ sessionFile, sessionCwd, fallbackCwd });
}

/**
 * Asks what to do with a session whose directory is gone: go on here with the file as it is, or with a copy. Undefined when
 * neither is wanted. Source: sessions.md section 2 (Missing working directory).
 */
export async function askAboutMissingCwd(
  { issue: { sessionCwd, fallbackCwd } }: MissingSessionCwdError,
  select: (title: string, labels: string[]) => Promise<string | undefined>,
): Promise<"continue" | "fork" | undefined> {
  const go = `Continue in ${fallbackCwd}`;
  const fork = `Fork into ${fallbackCwd}`;
  const answer = await select(`The working directory of the session does not exist: ${sessionCwd}`, [
    go,
    fork,
    "Cancel",
  ]);
  if (answer === go) return "continue";
  return answer === fork ? "fork" : undefined;
}
