import type { ImageContent, TextContent } from "@earendil-works/pi-ai";
import { replaceControlCharacters, stripTerminalSequences } from "@earendil-works/pi-tui";

/** The text of a message; images are not drawn here. */
export function textOf(content: string | readonly (TextContent | ImageContent | { type: string })[]): string {
  if (typeof content === "string") return content;
  return content.flatMap((block) => (block.type === "text" && "text" in block ? [block.text] : [])).join("\n");
}

const CONTROLS = /[^\P{Cc}\n]/u;
/** What could hide or reorder what it stands in: controls but line breaks and tabs, and marks of writing direction. */
const HIDING = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Texts of models, servers and files, made harmless: no sequences, no control characters but line breaks. A carriage
 * return is a line break too: what is before it stays to be seen.
 */
export function harmless(text: string): string {
  if (!CONTROLS.test(text)) return text;
  return stripTerminalSequences(withNewlines(text))
    .split("\n")
    .map((line) => replaceControlCharacters(line.replaceAll("\t", "   ")))
    .join("\n");
}

/** Output of programs, made harmless: of a line that was written over, as progress is, the last state. */
export function harmlessOutput(text: string): string {
  if (!text.includes("\r")) return harmless(text);
  return harmless(text.replaceAll("\r\n", "\n").split("\n").map(lastState).join("\n"));
}

function lastState(line: string): string {
  return line.split("\r").findLast((state) => state !== "") ?? "";
}

/** The text with its line breaks as newlines, whichever kind they are. */
export function withNewlines(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}

/** What is going to be run or written: all of it can be seen, and what could hide a part of it shows as a mark. */
export function unhidden(text: string): string {
  return withNewlines(text).replace(HIDING, markOf).replaceAll("\t", "   ");
}

/** The picture of a control character that Unicode has, or its number. */
function markOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? "\u2421" : `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}
