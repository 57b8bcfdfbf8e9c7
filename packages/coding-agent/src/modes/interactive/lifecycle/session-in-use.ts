import { SessionManager } from "../../../core/session-manager.js";
import type { SessionInUseError } from "../../../core/session-store/session-errors.js";
import { takeWriterLock } from "../../../core/storage/writer-lock.js";
import type { EditorSlot } from "../screen/editor-slot.js";
import { chooseOption } from "../selectors/choose.js";

/**
 * What to do with a session that another process writes: read it, copy it, or take it from there. Undefined when the
 * user wants none of these.
 */
export async function resolveSessionInUse(
  error: SessionInUseError,
  slot: EditorSlot,
  cwd: string,
  sessionDir: string | undefined,
): Promise<SessionManager | undefined> {
  const title = `Session is in use by pid ${error.pid} since ${error.since}\n${error.file}`;
  const wish = await chooseOption(slot, title, [
    { value: "read", label: "Open read-only", description: "nothing can be sent" },
    { value: "fork", label: "Fork", description: "go on in a copy of your own" },
    { value: "take", label: "Take over", description: "the other process cannot write it any more" },
  ]);
  switch (wish) {
    case "read":
      return SessionManager.open(error.file, sessionDir, undefined, { readOnly: true });
    case "fork":
      return SessionManager.forkFrom(error.file, cwd, sessionDir);
    case "take": {
      takeWriterLock(error.file);
      const manager = SessionManager.open(error.file, sessionDir);
      manager.acquireWriter();
      return manager;
    }
    default:
      return undefined;
  }
}
