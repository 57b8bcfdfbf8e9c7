/** Told of one line: `bytes` from `at` to `end`, without its line feed, which lies at `offset` in the file. */
export type LineVisitor = (bytes: Buffer, at: number, end: number, offset: number) => void;

const chunkSize = 1 << 20;

/**
 * Tells of the lines between two places of a file, as bytes that are valid during the call only. Holds one chunk, or
 * one line where a line is longer.
 *
 * @param read fills a buffer from an offset on and returns how many bytes there were
 * @returns where the last line begins that has no line feed; `to` when there is none
 */
export function scanLines(
  read: (buffer: Buffer, offset: number) => number,
  from: number,
  to: number,
  visit: LineVisitor,
): number {
  let buffer: Buffer = Buffer.allocUnsafeSlow(Math.max(1, Math.min(chunkSize, to - from)));
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

function lineFeed(buffer: Buffer, from: number, end: number): number {
  const at = buffer.indexOf(0x0a, from);
  return at < end ? at : -1;
}

function enlarged(buffer: Buffer, filled: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(buffer.length * 2);
  buffer.copy(larger, 0, 0, filled);
  return larger;
}
