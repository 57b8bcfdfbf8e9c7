import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { readingError } from "./reading-error.js";

const chunkSize = 1 << 20;

/**
 * The lines of a file, split on LF only, decoded as UTF-8, without their LF. A last line without LF counts. Never holds
 * more than one chunk and one line.
 *
 * @param limit stop after this many bytes (default: the whole file); a line cut by the limit is left out
 * @throws Error with the path, for a file that cannot be read and for a directory
 */
export function* readLines(path: string, limit?: number): Generator<string> {
  for (const line of readRawLines(path, limit)) yield withoutLineFeed(line).toString("utf8");
}

/** As `readLines`, as the bytes they are: with their LF. */
export function* readRawLines(path: string, limit = Number.POSITIVE_INFINITY): Generator<Buffer> {
  const descriptor = openSync(path, "r");
  try {
    const end = Math.min(fstatSync(descriptor).size, limit);
    const whole = end === fstatSync(descriptor).size;
    let rest: Buffer[] = [];
    for (let position = 0; position < end; ) {
      const chunk = Buffer.allocUnsafe(Math.min(chunkSize, end - position));
      const length = readSync(descriptor, chunk, 0, chunk.length, position);
      if (length === 0) break;
      position += length;
      let start = 0;
      for (let at = chunk.indexOf(0x0a); at >= 0 && at < length; at = chunk.indexOf(0x0a, start)) {
        rest.push(chunk.subarray(start, at + 1));
        yield Buffer.concat(rest);
        rest = [];
        start = at + 1;
      }
      if (start < length) rest.push(chunk.subarray(start, length));
    }
    if (rest.length > 0 && whole) yield Buffer.concat(rest);
  } catch (error) {
    throw readingError(path, error);
  } finally {
    closeSync(descriptor);
  }
}

/** A line without its line feed, if it has one. */
export function withoutLineFeed(line: Buffer): Buffer {
  return line.at(-1) === 0x0a ? line.subarray(0, -1) : line;
}
