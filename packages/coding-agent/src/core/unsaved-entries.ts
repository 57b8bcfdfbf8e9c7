import type { SessionManager } from "./session-manager.js";
import { mayWrite } from "./storage/files.js";

/**
 * What could not be written is only in this session: it must not be left before that is in its file. Where nothing may be
 * written there is nothing to wait for; the end of the process says what is lost then.
 * @param what the user wants, as in `Cannot fork`
 */
export function assertSaved(session: SessionManager, what: string): void {
  session.sync();
  const unsaved = session.getUnsavedEntries().length;
  const file = session.getSessionFile() ?? "";
  if (unsaved === 0 || !mayWrite(file)) return;
  throw new Error(
    `Cannot ${what}: ${unsaved} entries of the session could not be written yet: ${file}. Make room or allow writing there.`,
  );
}
