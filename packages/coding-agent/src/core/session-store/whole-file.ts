/** Session files that are made whole: new ones, and those that are brought back. */
import { AppendLog } from "../storage/append-log.js";
import type { SessionHeader } from "./entries.js";
import { lineFeed, lineOf } from "./stored-entry.js";

/**
 * @param lines behind the header, without line feeds
 * @param durable wait until it is on the disk itself
 * @throws `Session file could not be written: <path>: <reason>`; nothing is left behind then
 */
export function makeSessionFile(
  path: string,
  header: SessionHeader,
  lines: Iterable<Buffer>,
  durable: boolean,
): AppendLog {
  return made(path, withHeader(header, lines), durable);
}

/**
 * As `makeSessionFile`, of a file that somebody asks for now: nothing of it is kept when it cannot be made.
 * @throws as that does, with what to do
 */
export function makeAskedFile(
  path: string,
  header: SessionHeader,
  lines: Iterable<Buffer>,
  durable: boolean,
): AppendLog {
  try {
    return makeSessionFile(path, header, lines, durable);
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    if (code === undefined || code === "EEXIST") throw error;
    const text = `${message}. Make room or allow writing there, then try again.`;
    throw Object.assign(new Error(text, { cause: error }), { code });
  }
}

/** Of the bytes of another file, up to `size`. @throws as `makeSessionFile` does */
export function copySessionFile(log: AppendLog, size: number, path: string, durable: boolean): AppendLog {
  return made(path, piecesOf(log, size), durable);
}

/** What the system says names no file when it is the disk that is full. */
function made(path: string, pieces: Iterable<Buffer>, durable: boolean): AppendLog {
  try {
    return AppendLog.create(path, pieces, durable);
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    // What could not be read of the source says so itself.
    if (code === undefined) throw error;
    const text = `Session file could not be written: ${path}: ${message}`;
    throw Object.assign(new Error(text, { cause: error }), { code });
  }
}

function* withHeader(header: SessionHeader, lines: Iterable<Buffer>): Generator<Buffer, void> {
  yield lineOf(header);
  for (const line of lines) yield Buffer.concat([line, lineFeed]);
}

function* piecesOf(log: AppendLog, size: number): Generator<Buffer, void> {
  for (let at = 0; at < size; at += copySize) yield log.read(at, Math.min(copySize, size - at));
}
const copySize = 1 << 20;
