import { statSync } from "node:fs";
import { isLockedByOthers, LockError, lockPatienceMs } from "./file-lock.js";
import { pause } from "./pause.js";
import { readTextIfExists } from "./read-text.js";

/**
 * Text of a file that other programs write in place while they hold its lock: as `readTextIfExists`, once nobody is at it.
 * Nothing is made by reading, so the lock is not taken: it is enough that nobody has it afterwards, and that the file is
 * the one it was before. Waiting blocks the process, as a slow disk would. Source: cli-and-config.md section 4.1.
 *
 * @param staleMs age at which a lock counts as abandoned
 * @throws LockError `locked` when the lock does not come free; as `readTextIfExists`
 */
export function readSettledText(path: string, staleMs: number): string | undefined {
  const end = Date.now() + staleMs + lockPatienceMs;
  for (;;) {
    const before = revisionOf(path);
    const text = readTextIfExists(path);
    if (text === undefined || (!isLockedByOthers(path, staleMs) && revisionOf(path) === before)) return text;
    if (Date.now() > end) {
      throw new LockError("locked", `${path}.lock is held by another process. Remove it if no other pi is running`);
    }
    pause();
  }
}

/** Undefined also for what cannot be looked at: reading says why. */
function revisionOf(path: string): string | undefined {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stats && `${stats.ino} ${stats.size} ${stats.mtimeNs}`;
  } catch {
    return undefined;
  }
}
