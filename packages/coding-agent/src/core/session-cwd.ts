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
