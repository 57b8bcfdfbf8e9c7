/**
 * A fast look at output bytes: most commands write text that needs no decoding and no cleaning. Pure.
 */
import { isAscii, isUtf8 } from "node:buffer";

const NEWLINE = 0x0a;
const TAB = 0x09;
const DELETE = 0x7f;
/** What a word counts in bytes. */
const WORD = 4;
/** Words that are looked at together; more than 255 could overflow a counter of one byte. */
const BLOCK = 252;
/** First bytes of characters some of which are controls: U+0080 to U+009F, U+FFF9 to U+FFFB. */
const SUSPECTS = [0xc2, 0xef];
/** So many suspects are not looked at one by one: cleaning takes less time then. */
const MAX_SUSPECTS = 4000;

/**
 * The number of newlines in plain text: whole UTF-8 characters and none of them a control but tabs and newlines.
 * Undefined when there is anything else.
 *
 * Four bytes at a time, as one number: this sees every byte of every output, so it must keep up with the pipe.
 */
export function countPlainNewlines(bytes: Buffer): number | undefined {
  if (bytes.includes(DELETE)) return undefined;
  const ascii = isAscii(bytes);
  if (!ascii && !(isUtf8(bytes) && hasNoWideControls(bytes))) return undefined;
  const start = Math.min(bytes.length, -bytes.byteOffset & (WORD - 1));
  const count = (bytes.length - start) >> 2;
  const words = new Int32Array(bytes.buffer, count > 0 ? bytes.byteOffset + start : 0, count);
  const blocksEnd = count - (count % BLOCK);
  let newlines = 0;
  for (let at = 0; at < blocksEnd; at += BLOCK) {
    const found = ascii ? countInBlock(words, at) : countInBlock(madeAscii(words, at), 0);
    if (found !== undefined) newlines += found;
    else {
      const from = start + at * WORD;
      const slowly = countBytewise(bytes, from, from + BLOCK * WORD);
      if (slowly === undefined) return undefined;
      newlines += slowly;
    }
  }
  const before = countBytewise(bytes, 0, start);
  const after = countBytewise(bytes, start + blocksEnd * WORD, bytes.length);
  return before === undefined || after === undefined ? undefined : newlines + before + after;
}

/** Newlines of any bytes. */
export function countNewlines(bytes: Buffer): number {
  let count = 0;
  for (let i = 0; i < bytes.length; i++) if (bytes[i] === NEWLINE) count++;
  return count;
}

/**
 * Newlines in a block of ASCII; undefined when other bytes below 0x20 are in it. Sums stay within a byte, for bytes are
 * below 0x80, and say in its top bit: it is no newline; it is no control. Four words a round, which halves the time.
 */
function countInBlock(words: Int32Array, from: number): number | undefined {
  let others = 0;
  let noNewlines = 0;
  for (let i = from; i < from + BLOCK; i += 4) {
    const a = (words[i] ?? 0) | 0;
    const b = (words[i + 1] ?? 0) | 0;
    const c = (words[i + 2] ?? 0) | 0;
    const d = (words[i + 3] ?? 0) | 0;
    const a1 = (a ^ 0x0a0a0a0a) + 0x7f7f7f7f;
    const b1 = (b ^ 0x0a0a0a0a) + 0x7f7f7f7f;
    const c1 = (c ^ 0x0a0a0a0a) + 0x7f7f7f7f;
    const d1 = (d ^ 0x0a0a0a0a) + 0x7f7f7f7f;
    const a2 = (a & 0x60606060) + 0x60606060;
    const b2 = (b & 0x60606060) + 0x60606060;
    const c2 = (c & 0x60606060) + 0x60606060;
    const d2 = (d & 0x60606060) + 0x60606060;
    others |= (a1 ^ a2) | (b1 ^ b2) | (c1 ^ c2) | (d1 ^ d2);
    noNewlines +=
      ((a1 >>> 7) & 0x01010101) + ((b1 >>> 7) & 0x01010101) + ((c1 >>> 7) & 0x01010101) + ((d1 >>> 7) & 0x01010101);
    noNewlines |= 0;
  }
  if ((others & 0x80808080) !== 0) return undefined;
  const sum = (noNewlines & 0xff) + ((noNewlines >>> 8) & 0xff) + ((noNewlines >>> 16) & 0xff) + (noNewlines >>> 24);
  return BLOCK * WORD - sum;
}

const scratch = new Int32Array(BLOCK);

/** A block with bytes from 0x80 on made into letters. */
function madeAscii(words: Int32Array, from: number): Int32Array {
  for (let i = 0; i < BLOCK; i++) {
    const word = words[from + i] ?? 0;
    scratch[i] = (word & 0x7f7f7f7f) | ((word & 0x80808080) >>> 1);
  }
  return scratch;
}

function countBytewise(bytes: Buffer, start: number, end: number): number | undefined {
  let newlines = 0;
  for (let i = start; i < end; i++) {
    const byte = bytes[i] ?? 0;
    if (byte === NEWLINE) newlines++;
    else if (byte < 0x20 && byte !== TAB) return undefined;
  }
  return newlines;
}

/** @param bytes valid UTF-8 */
function hasNoWideControls(bytes: Buffer): boolean {
  let left = MAX_SUSPECTS;
  for (const suspect of SUSPECTS) {
    for (let at = bytes.indexOf(suspect); at !== -1; at = bytes.indexOf(suspect, at + 1)) {
      if (--left === 0 || isWideControl(bytes, at)) return false;
    }
  }
  return true;
}

function isWideControl(bytes: Buffer, at: number): boolean {
  const second = bytes[at + 1] ?? 0;
  if (bytes[at] === 0xc2) return second < 0xa0;
  const third = bytes[at + 2] ?? 0;
  return second === 0xbf && third >= 0xb9 && third <= 0xbb;
}
