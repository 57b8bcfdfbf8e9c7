import { basename, dirname, join } from "node:path";
import { assertSessionCwd } from "./session-cwd.js";
import { SessionManager } from "./session-manager.js";
import { resolveUserPath } from "./session-store/paths.js";
import { SessionImportFileNotFoundError } from "./session-store/session-errors.js";
import { copyFileUnderFreeName, fileSize, removeFile } from "./storage/files.js";

/**
 * Takes a session file into a session folder, under its own name or that with `-1`, `-2`, ... A file that lies there
 * already is opened where it is. Source: sessions.md section 4, "import".
 *
 * @throws SessionImportFileNotFoundError; MissingSessionCwdError, and for what is no session: no copy is left then
 */
export function importSessionFile(
  path: string,
  sessionDir: string,
  cwdOverride: string | undefined,
  fallbackCwd: string,
): SessionManager {
  const source = resolveUserPath(path);
  if (fileSize(source) === undefined) throw new SessionImportFileNotFoundError(source);
  const isThere = dirname(source) === sessionDir;
  const file = isThere ? source : copyFileUnderFreeName(source, join(sessionDir, basename(source)));
  try {
    const manager = SessionManager.open(file, sessionDir, cwdOverride);
    assertSessionCwd(manager, fallbackCwd);
    return manager;
  } catch (error) {
    if (!isThere) removeFile(file);
    throw error;
  }
}
