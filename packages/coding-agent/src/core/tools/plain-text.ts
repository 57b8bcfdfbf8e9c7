/**
 * A fast look at output bytes: most commands write ASCII text, which needs no decoding and no cleaning. Pure.
 */
import { isAscii } from "node:buffer";

const NEWLINE = 0x0a;
const TAB = 0x09;
const DELETE = 0x7f;
/** Words after which a counter of one byte could overflow. */
const BLOCK = 255;
/** What a word count is worth in bytes. */
const WORD = 4;

/**
 * The number of newlines in plain text: printable ASCII, tabs and newlines. Undefined when there is anything else.
 *
 * Four bytes at a time, as one number: this sees every byte of every output, so it must keep up with the pipe.
 */
export function countPlainNewlines(bytes: Buffer): number | undefined {
  if (!isAscii(bytes) || bytes.includes(DELETE)) return undefined;
  if (bytes.length < WORD) return hasOnlyPlainControls(bytes, 0, bytes.length) ? countNewlines(bytes) : undefined;
  const start = -bytes.byteOffset & (WORD - 1);
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + start, (bytes.length - start) >> 2);
  const end = start + words.length * WORD;
  let newlines = 0;
  for (let at = 0; at < words.length; at += BLOCK) {
    const blockEnd = Math.min(words.length, at + BLOCK);
    let counters = 0;
    let others = 0;
    for (let i = at; i < blockEnd; i++) {
      const word = words[i] ?? 0;
      const difference = word ^ 0x0a0a0a0a;
      // In the top bit of each byte: it is a newline; it is a control character. Bytes are below 0x80 here.
      const isNewline = ~(difference + 0x7f7f7f7f) & 0x80808080;
      const isControl = ~((word & 0x60606060) + 0x60606060) & 0x80808080;
      others |= isNewline ^ isControl;
      counters += isNewline >>> 7;
    }
    if (others !== 0 && !hasOnlyPlainControls(bytes, start + at * WORD, start + blockEnd * WORD)) return undefined;
    newlines += (counters & 0xff) + ((counters >>> 8) & 0xff) + ((counters >>> 16) & 0xff) + (counters >>> 24);
  }
  if (!hasOnlyPlainControls(bytes, 0, start) || !hasOnlyPlainControls(bytes, end, bytes.length)) return undefined;
  return newlines + countNewlines(bytes, 0, start) + countNewlines(bytes, end, bytes.length);
}

/** Newlines of any bytes. */
export function countNewlines(bytes: Buffer, start = 0, end = bytes.length): number {
  let count = 0;
  for (let i = start; i < end; i++) if (bytes[i] === NEWLINE) count++;
  return count;
}

function hasOnlyPlainControls(bytes: Buffer, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const byte = bytes[i] ?? 0;
    if (byte < 0x20 && byte !== NEWLINE && byte !== TAB) return false;
  }
  return true;
}
