import { basename } from "node:path";
import { assertNotOwnFile } from "../session-jsonl.js";
import { resolveUserPath } from "../session-store/paths.js";
import { writePiecesInTurns } from "../storage/atomic-file.js";
import { base64Pieces } from "./base64-pieces.js";
import type { ImageLimits } from "./image-limits.js";
import { pageFrame } from "./page-frame.js";
import { type ExportSource, type LiveSession, sessionDataJson } from "./session-data.js";

export interface ExportHtmlOptions extends LiveSession {
  /** Where to write, relative to the process's directory; `~` is the home directory. Default: `pi-session-<session file base name>.html` there. */
  path?: string | undefined;
  imageLimits?: ImageLimits | undefined;
}

/** A session that can be exported; `SessionManager` is one. */
export interface ExportableSession extends ExportSource {
  getSessionFile(): string | undefined;
  getSessionName(): string | undefined;
  getEntryCount(): number;
  /** There is a file, or was one before somebody deleted it. */
  isOnDisk(): boolean;
}

/**
 * Writes a session, all branches, as one page that needs nothing else. Returns the path as given, or the default name.
 * Entries go from file to file: a long session is never whole in memory, and stops nothing else meanwhile.
 *
 * @throws `Cannot export in-memory session to HTML`, `Nothing to export yet - start a conversation first`,
 *   `Cannot export a session over its own file: <path>`, what writing the file throws
 */
export async function exportSessionToHtml(
  session: ExportableSession,
  { path, imageLimits, ...live }: ExportHtmlOptions = {},
): Promise<string> {
  const file = session.getSessionFile();
  if (file === undefined) throw new Error("Cannot export in-memory session to HTML");
  if (!session.isOnDisk() || session.getEntryCount() === 0) {
    throw new Error("Nothing to export yet - start a conversation first");
  }
  const target = path ?? `pi-session-${basename(file, ".jsonl")}.html`;
  const title = session.getSessionName() ?? session.getHeader()?.id ?? "session";
  const absolute = resolveUserPath(target);
  assertNotOwnFile(session, absolute);
  await writePiecesInTurns(absolute, page(title, sessionDataJson(session, live, imageLimits)));
  return target;
}

function* page(title: string, data: Iterable<Buffer>): Generator<Buffer, void> {
  const { before, after } = pageFrame(`${title} - pi`);
  yield Buffer.from(before);
  for (const piece of base64Pieces(data)) yield Buffer.from(piece);
  yield Buffer.from(after);
}
