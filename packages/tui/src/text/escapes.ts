/** Terminal sequences inside text: found once here, skipped, kept or dropped by everybody else. */

const ESC = 0x1b;
const BEL = 0x07;

/**
 * Length of the terminal sequence that starts at `index`, or 0 when there is none or it breaks off. Knows CSI, the
 * string sequences (OSC, DCS, APC, PM, SOS; ended by ST or BEL) and plain two-character escapes.
 */
export function escapeLength(text: string, index: number): number {
  if (text.charCodeAt(index) !== ESC) return 0;
  switch (text[index + 1]) {
    case undefined:
      return 0;
    case "[":
      return csiLength(text, index);
    case "]":
    case "P":
    case "_":
    case "^":
    case "X":
      return stringSequenceLength(text, index);
    default:
      return plainEscapeLength(text, index);
  }
}

function csiLength(text: string, index: number): number {
  for (let at = index + 2; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x40 && code <= 0x7e) return at + 1 - index;
    if (code < 0x20 || code > 0x3f) return 0;
  }
  return 0;
}

function stringSequenceLength(text: string, index: number): number {
  for (let at = index + 2; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BEL) return at + 1 - index;
    if (code === ESC) return text[at + 1] === "\\" ? at + 2 - index : 0;
  }
  return 0;
}

function plainEscapeLength(text: string, index: number): number {
  let at = index + 1;
  while (text.charCodeAt(at) >= 0x20 && text.charCodeAt(at) <= 0x2f) at++;
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x7e ? at + 1 - index : 0;
}

/** Pattern for input that is one sequence: ESC and `rest` (a pattern) up to the end. */
export function escapePattern(rest: string, flags = ""): RegExp {
  return new RegExp(`^\\x1b${rest}$`, flags);
}

/** True for a CSI sequence that sets colours and attributes (`CSI … m`), and for nothing else. */
export function isSgr(sequence: string): boolean {
  if (!sequence.startsWith("\x1b[") || !sequence.endsWith("m")) return false;
  const first = sequence.charCodeAt(2);
  // `CSI > … m` and `CSI ? … m` belong to the keyboard.
  return first < 0x3c || first > 0x3f;
}

/** The text without its terminal sequences; characters that are no part of a sequence stay, controls too. */
export function stripTerminalSequences(text: string): string {
  let at = text.indexOf("\x1b");
  if (at < 0) return text;
  let plain = "";
  let from = 0;
  while (at >= 0) {
    const length = escapeLength(text, at);
    if (length > 0) {
      plain += text.slice(from, at);
      from = at + length;
    }
    at = text.indexOf("\x1b", Math.max(from, at + 1));
  }
  return plain + text.slice(from);
}

/** The text with its line breaks as newlines, whichever kind they are. */
export function withNewlines(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}

/** The text on one line: line breaks are spaces. */
export function onOneLine(text: string): string {
  return /[\r\n]/.test(text) ? text.replace(/[\r\n]+/g, " ") : text;
}

/** Each run of control characters (C0, DEL, C1) becomes one space. */
export function replaceControlCharacters(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ");
}
