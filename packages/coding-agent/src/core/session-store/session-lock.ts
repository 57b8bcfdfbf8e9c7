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

  /** @throws SessionInUseError, and what the operating system says when no lock can be made */
  take(path: string): void {
    if (this.#lock?.isHeld()) return;
    this.release();
    const taken = takeLock(path);
    if (!(taken instanceof WriterLock)) throw new SessionInUseError(taken.pid, taken.since, path);
    this.#lock = taken;
  }

  release(): void {
    this.#lock?.release();
    this.#lock = undefined;
  }
}

function takeLock(path: string): WriterLock | LockHolder {
  try {
    ensurePrivateDir(dirname(path));
    return WriterLock.take(path);
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    const text = `Session file cannot be locked for writing: ${path}: ${message}`;
    throw Object.assign(new Error(text, { cause: error }), { code });
  }
}
