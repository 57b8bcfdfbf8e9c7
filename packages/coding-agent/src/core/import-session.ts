import { assertSessionCwd } from "./session-cwd.js";
import { importSessionFile } from "./session-jsonl.js";
import { SessionManager } from "./session-manager.js";
import { removeFile } from "./storage/files.js";

/**
 * Brings a session file into a session folder and opens it. Source: sessions.md section 4, "import".
 *
 * @throws SessionImportFileNotFoundError; MissingSessionCwdError, and for what is no session: no copy is left then
 */
export function importedManager(
  source: string,
  sessionDir: string,
  cwdOverride: string | undefined,
  fallbackCwd: string,
): SessionManager {
  const { path, isCopy } = importSessionFile(source, sessionDir);
  try {
    const manager = SessionManager.open(path, sessionDir, cwdOverride);
    assertSessionCwd(manager, fallbackCwd);
    return manager;
  } catch (error) {
    if (isCopy) removeFile(path);
    throw error;
  }
}
