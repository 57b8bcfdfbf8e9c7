import { textOf } from "./agent-session/transcript-texts.js";
import { SessionManager } from "./session-manager.js";
import type { SessionEntry } from "./session-store/entries.js";
import { pathExists } from "./storage/files.js";
import { assertSaved } from "./unsaved-entries.js";

export type ForkPosition = "before" | "at";

/**
 * A new session with the history up to an entry of another. Source: sessions.md section 4, "fork".
 *
 * @throws `Invalid entry ID for forking`; and when the session's file does not exist yet
 */
export function forkedManager(
  source: SessionManager,
  entryId: string,
  position: ForkPosition,
): { manager: SessionManager; selectedText?: string } {
  const entry = source.getEntry(entryId) ?? entryOnDisk(source, entryId);
  const prompt = entry?.type === "message" && entry.message?.role === "user" ? entry.message : undefined;
  if (!entry || (position === "before" && !prompt)) throw new Error("Invalid entry ID for forking");
  const selectedText = position === "before" && prompt ? textOf(prompt.content) : undefined;
  const leafId = position === "before" ? (entry.parentId ?? null) : entryId;
  return { manager: managerUpTo(source, leafId), ...(selectedText !== undefined && { selectedText }) };
}

/**
 * A new session with the whole active branch of another, and what other processes have added to that since.
 *
 * @throws for a session without entries, and when its file does not exist yet
 */
export function clonedManager(source: SessionManager): SessionManager {
  const leafId = source.getLeafId();
  if (leafId === null) throw new Error("Cannot clone session: no current entry selected");
  return managerUpTo(source, leafId, true);
}

/** Another process may have added it. */
function entryOnDisk(source: SessionManager, id: string): SessionEntry | undefined {
  const file = source.getSessionFile();
  if (file === undefined || !pathExists(file)) return undefined;
  return SessionManager.open(file, source.getSessionDir(), source.getCwd(), { readOnly: true }).getEntry(id);
}

/** @param follows what other processes added behind the leaf belongs to the copy */
function managerUpTo(source: SessionManager, leafId: string | null, follows = false): SessionManager {
  const file = source.getSessionFile();
  if (leafId === null) {
    const parent = { ...(file !== undefined && { parentSession: file }) };
    if (file === undefined) return SessionManager.inMemory(source.getCwd(), parent);
    const dir = source.usesDefaultSessionDir() ? undefined : source.getSessionDir();
    return SessionManager.create(source.getCwd(), dir, parent);
  }
  if (file === undefined) {
    const header = source.getHeader();
    const copy = SessionManager.inMemory(source.getCwd(), {}, [...(header ? [header] : []), ...source.getEntries()]);
    copy.createBranchedSession(leafId);
    return copy;
  }
  assertSaved(source, "fork");
  // Somebody deleted it: it is written again, since the copy has one branch only, and names it.
  if (source.isOnDisk() && !pathExists(file)) source.acquireWriter();
  if (!pathExists(file)) {
    throw new Error("This session has not been saved yet. Send a message before cloning or forking it.");
  }
  const copy = follows ? source.readAgain() : SessionManager.open(file, source.getSessionDir(), source.getCwd());
  const last = follows ? copy.getLeafId() : leafId;
  if (last === null || !copy.getEntry(last)) {
    const unsaved = source.getUnsavedEntries().length;
    if (unsaved > 0) throw new Error(`Cannot fork: ${unsaved} entries of the session could not be written: ${file}.`);
    throw new Error(
      `Cannot fork: entry ${last} is not in the session file any more, which was changed from outside: ${file}. ` +
        "Send a message first: the session goes on with what is left.",
    );
  }
  copy.createBranchedSession(last);
  return copy;
}
