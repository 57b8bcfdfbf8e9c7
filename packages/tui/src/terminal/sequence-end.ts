import { escapeLength, escapePattern } from "../text/escapes.js";

/** Beginnings of replies that are waited for without a limit: cut in two they would be typed as text. */
const replyHeaders = ["\x1b]10;", "\x1b]11;", "\x1b]7501;?", "\x1bP>|", "\x1b_G"];
const paletteHeader = escapePattern(String.raw`\]4;\d+;.*`, "s");

/** What stands at the start of the input: a whole key or sequence, or one that goes on. */
export type InputHead =
  | { readonly kind: "whole"; readonly length: number }
  | { readonly kind: "incomplete"; readonly wait: "escape" | "sequence" | "reply" };

const whole = (length: number): InputHead => ({ kind: "whole", length });
const unfinished: InputHead = { kind: "incomplete", wait: "sequence" };

/** Where the first key or sequence of the input ends. */
export function inputHead(input: string): InputHead {
  if (input[0] !== "\x1b") return characterHead(input, 0);
  switch (input[1]) {
    case undefined:
      return { kind: "incomplete", wait: "escape" };
    case "\x1b":
      // Escape pressed just before something else.
      return whole(1);
    case "[":
      return csiHead(input);
    case "O":
      return input.length < 3 ? unfinished : whole(3);
    case "]":
    case "P":
    case "_":
      return stringHead(input);
    default:
      return characterHead(input, 1);
  }
}

/** A character at `at`; its two halves may arrive apart. */
function characterHead(input: string, at: number): InputHead {
  const code = input.charCodeAt(at);
  if (code >= 0xd800 && code <= 0xdbff && at + 1 === input.length) return unfinished;
  return whole(at + ((input.codePointAt(at) ?? 0) > 0xffff ? 2 : 1));
}

function csiHead(input: string): InputHead {
  // The old mouse report and the Linux console's function keys go on behind their final byte.
  if (input[2] === "M") return input.length < 6 ? unfinished : whole(6);
  if (input[2] === "[") return input.length < 4 ? unfinished : whole(4);
  const length = escapeLength(input, 0);
  if (length > 0) return whole(length);
  for (let at = 2; at < input.length; at++) {
    const code = input.charCodeAt(at);
    if (code < 0x20 || code > 0x3f) return whole(at);
  }
  return unfinished;
}

function stringHead(input: string): InputHead {
  const isReply = replyHeaders.some((header) => input.startsWith(header)) || paletteHeader.test(input);
  for (let at = 2; at < input.length; at++) {
    const char = input[at];
    if (char === "\x07" || char === "\x18" || char === "\x1a") return whole(at + 1);
    if (char !== "\x1b") continue;
    if (input[at + 1] === "\\") return whole(at + 2);
    if (input[at + 1] !== undefined) return whole(at);
  }
  return isReply ? { kind: "incomplete", wait: "reply" } : unfinished;
}
