import { SessionManager } from "../../../core/session-manager.js";
import type { SessionInUseError } from "../../../core/session-store/session-errors.js";
import { takeWriterLock } from "../../../core/storage/writer-lock.js";
import type { EditorSlot } from "../screen/editor-slot.js";
import { chooseOption } from "../selectors/choose.js";

/** What to open instead of a session that another process writes. */
export interface InUseChoice {
  file: string;
  readOnly: boolean;
  /** The right to write is taken at once, before the other process takes it back. */
  takeOver: boolean;
}

/**
 * What to do with a session that another process writes: read it, copy it, or take it from there. Undefined when the
 * user wants none of these.
 */
export async function resolveSessionInUse(
  error: SessionInUseError,
  slot: EditorSlot,
  cwd: string,
  sessionDir: string | undefined,
): Promise<InUseChoice | undefined> {
  const { file, pid, since } = error;
  const wish = await chooseOption(slot, `Session is in use by pid ${pid} since ${since}\n${file}`, [
    { value: "read", label: "Open read-only", description: "nothing can be sent" },
    { value: "fork", label: "Fork", description: "go on in a copy of your own" },
    { value: "take", label: "Take over", description: "the other process cannot write it any more" },
  ]);
  if (wish === "read") return { file, readOnly: true, takeOver: false };
  if (wish === "fork") {
    const copy = SessionManager.forkFrom(file, cwd, sessionDir).getSessionFile();
    return copy === undefined ? undefined : { file: copy, readOnly: false, takeOver: false };
  }
  if (wish !== "take") return undefined;
  takeWriterLock(file);
  return { file, readOnly: false, takeOver: true };
}
