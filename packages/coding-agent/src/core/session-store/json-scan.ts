/**
 * Finding the parts of JSON text without decoding it. Works on the bytes of a line, tells where values begin and end, and
 * notices text that breaks off; it does not judge what stands inside scalars. Pure.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Short strings are read byte by byte; only in longer ones a call of memchr pays. */
const nearBytes = 16;

/** The text breaks off, or is no JSON. */
export const BROKEN = -1;
/** A member name is written with escapes: only a parser can tell what it says. */
export const ESCAPED = -2;

/** What a member name says, between its quotes; an escaped one is decoded. */
export function nameAt(bytes: Buffer, at: number, end: number): string {
  return JSON.parse(bytes.toString("utf8", at - 1, end + 1)) as string;
}

/** The first byte from `at` on that is no white space. */
export function skipSpace(bytes: Buffer, at: number, end: number): number {
  let next = at;
  while (next < end) {
    const byte = bytes[next];
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d && byte !== 0x0a) break;
    next++;
  }
  return next;
}

/** @param at behind the opening quote. @returns behind the closing one, or BROKEN */
function skipString(bytes: Buffer, at: number, end: number): number {
  for (let next = at; ; ) {
    const near = Math.min(end, next + nearBytes);
    for (; next < near; next++) {
      const byte = bytes[next];
      if (byte === QUOTE) return next + 1;
      if (byte === BACKSLASH) next++;
    }
    if (next >= end) return BROKEN;
    const quote = bytes.indexOf(QUOTE, next);
    if (quote < 0 || quote >= end) return BROKEN;
    let slash = quote;
    while (slash > next && bytes[slash - 1] === BACKSLASH) slash--;
    if ((quote - slash) % 2 === 0) return quote + 1;
    next = quote + 1;
  }
}

/** @param at its first byte. @returns behind the value, or BROKEN */
export function skipValue(bytes: Buffer, at: number, end: number): number {
  const first = bytes[at];
  if (at >= end) return BROKEN;
  if (first === QUOTE) return skipString(bytes, at + 1, end);
  if (first !== 0x7b && first !== 0x5b) return skipScalar(bytes, at, end);
  let depth = 0;
  for (let next = at; next < end; ) {
    const byte = bytes[next++];
    if (byte === QUOTE) {
      next = skipString(bytes, next, end);
      if (next < 0) return BROKEN;
    } else if (byte === 0x7b || byte === 0x5b) depth++;
    else if ((byte === 0x7d || byte === 0x5d) && --depth === 0) return next;
  }
  return BROKEN;
}

function skipScalar(bytes: Buffer, at: number, end: number): number {
  let next = at;
  for (; next < end; next++) {
    const byte = bytes[next];
    if (byte === 0x2c || byte === 0x7d || byte === 0x5d || byte === 0x20 || byte === 0x09 || byte === 0x0d) break;
  }
  return next === at ? BROKEN : next;
}

/**
 * Told of one member: where its name stands (without quotes), and where its value begins.
 * @returns behind the value, or a negative number to end the walk
 */
export type MemberVisitor = (nameAt: number, nameEnd: number, valueAt: number) => number;

/**
 * Tells of the members of an object in turn.
 * @param at its bracket, or the comma behind a member to go on from
 * @param takesEscaped also names that are written with escapes are told of
 * @returns behind the object, or BROKEN, ESCAPED or what the visitor returned
 */
export function walkMembers(
  bytes: Buffer,
  at: number,
  end: number,
  visit: MemberVisitor,
  takesEscaped = false,
): number {
  if (bytes[at] !== 0x7b && bytes[at] !== 0x2c) return BROKEN;
  let next = skipSpace(bytes, at + 1, end);
  if (bytes[next] === 0x7d) return next + 1;
  for (;;) {
    if (next >= end || bytes[next] !== QUOTE) return BROKEN;
    const nameAt = next + 1;
    next = takesEscaped ? skipString(bytes, nameAt, end) : skipName(bytes, nameAt, end);
    if (next < 0) return next;
    const nameEnd = next - 1;
    next = skipSpace(bytes, next, end);
    if (bytes[next] !== 0x3a) return BROKEN;
    next = visit(nameAt, nameEnd, skipSpace(bytes, next + 1, end));
    if (next < 0) return next;
    next = skipSpace(bytes, next, end);
    if (next < end && bytes[next] === 0x7d) return next + 1;
    if (next >= end || bytes[next] !== 0x2c) return BROKEN;
    next = skipSpace(bytes, next + 1, end);
  }
}

/** Names are short and rarely written with escapes. */
function skipName(bytes: Buffer, at: number, end: number): number {
  for (let next = at; next < end; next++) {
    const byte = bytes[next];
    if (byte === QUOTE) return next + 1;
    if (byte === BACKSLASH) return ESCAPED;
  }
  return BROKEN;
}

/**
 * Tells of the items of an array in turn.
 * @param visit told where an item begins; returns behind it, or a negative number to end the walk
 * @returns behind the array, or BROKEN or what the visitor returned
 */
export function walkItems(bytes: Buffer, at: number, end: number, visit: (itemAt: number) => number): number {
  let next = skipSpace(bytes, at + 1, end);
  if (bytes[next] === 0x5d) return next + 1;
  for (;;) {
    next = visit(next);
    if (next < 0) return next;
    next = skipSpace(bytes, next, end);
    if (next < end && bytes[next] === 0x5d) return next + 1;
    if (next >= end || bytes[next] !== 0x2c) return BROKEN;
    next = skipSpace(bytes, next + 1, end);
  }
}

/** Whether the bytes are exactly this ASCII text. */
export function bytesAre(bytes: Buffer, at: number, end: number, text: string): boolean {
  if (end - at !== text.length) return false;
  for (let index = 0; index < text.length; index++) if (bytes[at + index] !== text.charCodeAt(index)) return false;
  return true;
}

/** The value that stands there; undefined when it is no JSON. */
export function valueAt(bytes: Buffer, at: number, end: number): unknown {
  try {
    return JSON.parse(bytes.toString("utf8", at, end));
  } catch {
    return undefined;
  }
}
