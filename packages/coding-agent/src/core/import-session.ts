import { assertSessionCwd } from "./session-cwd.js";
import { assertImportable, importSessionFile } from "./session-jsonl.js";
import { SessionManager } from "./session-manager.js";
import { resolveUserPath } from "./session-store/paths.js";
import { InvalidSessionError } from "./session-store/session-errors.js";
import { fileSize } from "./storage/files.js";

/**
 * Brings a session file into a session folder and opens it. Source: sessions.md section 4, "import".
 *
 * @throws SessionImportFileNotFoundError; MissingSessionCwdError, and for what is no session: no copy is made then
 */
export function importedManager(
  source: string,
  sessionDir: string,
  cwdOverride: string | undefined,
  fallbackCwd: string,
): SessionManager {
  const given = resolveUserPath(source);
  assertImportable(given);
  if (fileSize(given) === 0) throw new InvalidSessionError(given);
  // Looked at before it is copied: what is wrong is wrong with the file that was named.
  const original = SessionManager.open(given, sessionDir, cwdOverride, { readOnly: true });
  assertSessionCwd(original, fallbackCwd);
  return SessionManager.open(importSessionFile(given, sessionDir).path, sessionDir, cwdOverride);
}
