import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** Told of one line: `bytes` from `at` to `end`, without its line feed, which lies at `offset` in the file. */
export type LineVisitor = (bytes: Buffer, at: number, end: number, offset: number) => void;

const chunkSize = 1 << 20;

/**
 * Tells of the lines between two places of a file, as bytes that are valid during the call only. Holds one chunk, or
 * one line where a line is longer.
 *
 * @param read fills a buffer from an offset on and returns how many bytes there were
 * @param chunk what to read into
 * @returns where the last line begins that has no line feed; `to` when there is none
 */
export function scanLines(
  read: (buffer: Buffer, offset: number) => number,
  from: number,
  to: number,
  visit: LineVisitor,
  chunk = Buffer.allocUnsafeSlow(Math.max(1, Math.min(chunkSize, to - from))),
): number {
  let buffer: Buffer = chunk;
  /** The buffer holds `filled` bytes of the file from `base` on. */
  let base = from;
  let filled = 0;
  while (base + filled < to) {
    if (filled === buffer.length) buffer = enlarged(buffer, filled);
    const wanted = Math.min(buffer.length - filled, to - base - filled);
    const length = read(buffer.subarray(filled, filled + wanted), base + filled);
    if (length === 0) break;
    const searchFrom = filled;
    filled += length;
    let start = 0;
    for (let at = lineFeed(buffer, searchFrom, filled); at >= 0; at = lineFeed(buffer, start, filled)) {
      visit(buffer, start, at, base + start);
      start = at + 1;
    }
    if (start > 0) {
      buffer.copyWithin(0, start, filled);
      base += start;
      filled -= start;
      // A giant line is over: its room is given back.
      if (buffer.length > chunkSize && filled <= chunkSize / 2) {
        const usual = Buffer.allocUnsafeSlow(chunkSize);
        buffer.copy(usual, 0, 0, filled);
        buffer = usual;
      }
    }
  }
  return base;
}

/** Tells of the lines of one file after the other, with one buffer for all. */
export class FileScanner {
  readonly #buffer = Buffer.allocUnsafeSlow(chunkSize);

  /** The last line may lack its line feed. */
  scan(path: string, visit: LineVisitor): void {
    const descriptor = openSync(path, "r");
    try {
      const { size } = fstatSync(descriptor);
      const read = (buffer: Buffer, offset: number) => readSync(descriptor, buffer, 0, buffer.length, offset);
      const tail = scanLines(read, 0, size, visit, this.#buffer);
      if (tail === size) return;
      const bytes = Buffer.allocUnsafe(size - tail);
      visit(bytes, 0, read(bytes, tail), tail);
    } finally {
      closeSync(descriptor);
    }
  }
}

function lineFeed(buffer: Buffer, from: number, end: number): number {
  const at = buffer.indexOf(0x0a, from);
  return at < end ? at : -1;
}

function enlarged(buffer: Buffer, filled: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(buffer.length * 2);
  buffer.copy(larger, 0, 0, filled);
  return larger;
}
