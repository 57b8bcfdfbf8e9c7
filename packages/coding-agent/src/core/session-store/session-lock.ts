import { dirname } from "node:path";
import { ensurePrivateDir } from "../storage/files.js";
import { type LockHolder, WriterLock } from "../storage/writer-lock.js";
import { SessionInUseError } from "./session-errors.js";

/** The right of a session to write its file; taken when it is needed, and again when somebody took it away. */
export class SessionLock {
  #lock: WriterLock | undefined;

  get isHeld(): boolean {
    return this.#lock?.isHeld() === true;
  }

  /**
   * @param isBrief for a moment only, as to bring a file to the current format: others wait for that
   * @throws SessionInUseError, and what the operating system says when no lock can be made
   */
  take(path: string, isBrief = false): void {
    if (this.#lock?.isHeld()) return;
    this.release();
    const taken = takeLock(path, isBrief);
    if (!(taken instanceof WriterLock)) throw new SessionInUseError(taken.pid, taken.since, path);
    this.#lock = taken;
  }

  release(): void {
    this.#lock?.release();
    this.#lock = undefined;
  }
}

function takeLock(path: string, isBrief: boolean): WriterLock | LockHolder {
  try {
    ensurePrivateDir(dirname(path));
    return WriterLock.take(path, isBrief);
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    const text = `Session file cannot be locked for writing: ${path}: ${message}`;
    throw Object.assign(new Error(text, { cause: error }), { code });
  }
}
