import { SessionManager } from "../../../core/session-manager.js";
import type { SessionInUseError } from "../../../core/session-store/session-errors.js";
import { writerOf } from "../../../core/storage/writer-lock.js";
import type { EditorSlot } from "../screen/editor-slot.js";
import { chooseOption } from "../selectors/choose.js";

/** What to open instead of a session that another process writes. */
export interface InUseChoice {
  file: string;
  readOnly: boolean;
}

const lookEveryMs = 250;

/**
 * What to do with a session that another process writes: read it, copy it, or have it once that process is gone. Undefined
 * when the user wants none of these.
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
    { value: "take", label: "Take over when it ends", description: "waits until the other process is gone" },
  ]);
  if (wish === "read") return { file, readOnly: true };
  if (wish === "fork") {
    const copy = SessionManager.forkFrom(file, cwd, sessionDir).getSessionFile();
    return copy === undefined ? undefined : { file: copy, readOnly: false };
  }
  if (wish !== "take") return undefined;
  return (await isFreed(error, slot)) ? { file, readOnly: false } : undefined;
}

/** False when the user does not want to wait any longer. */
async function isFreed({ file, pid }: SessionInUseError, slot: EditorSlot): Promise<boolean> {
  const freed = new AbortController();
  const timer = setInterval(() => {
    if (!writerOf(file)) freed.abort();
  }, lookEveryMs);
  const options = [{ value: "stop", label: "Stop waiting" }];
  await chooseOption(slot, `Waiting for pid ${pid} to end\n${file}`, options, { signal: freed.signal });
  clearInterval(timer);
  return freed.signal.aborted;
}
