import { join } from "node:path";
import { ensurePrivateDir } from "../storage/files.js";
import { WriterLock } from "../storage/writer-lock.js";
import { dirFor } from "./new-session.js";
import { SessionInUseError } from "./session-errors.js";

/**
 * Keeps other processes from making a session of the same id at the same time: until this process ends, since the file
 * may come late.
 * @returns gives the claim up
 * @throws SessionInUseError
 */
export function claimSessionId(id: string, cwd: string, sessionDir: string | undefined): () => void {
  const place = join(dirFor(cwd, sessionDir), id);
  let holder: ReturnType<typeof WriterLock.take>;
  try {
    ensurePrivateDir(join(place, ".."));
    holder = WriterLock.take(place);
  } catch {
    // Where no lock can be made no session can either.
    return () => {};
  }
  if (!(holder instanceof WriterLock)) throw new SessionInUseError(holder.pid, holder.since, id);
  const claim = holder;
  return () => claim.release();
}
