import type { ImageContent, TextContent } from "@earendil-works/pi-ai";
import { replaceControlCharacters, stripTerminalSequences } from "@earendil-works/pi-tui";

/** The text of a message; images are not drawn here. */
export function textOf(content: string | readonly (TextContent | ImageContent | { type: string })[]): string {
  if (typeof content === "string") return content;
  return content.flatMap((block) => (block.type === "text" && "text" in block ? [block.text] : [])).join("\n");
}

const CONTROLS = /[^\P{Cc}\n]/u;

/** Output of programs and texts of servers, made harmless: no sequences, no control characters but line breaks. */
export function harmless(text: string): string {
  if (!CONTROLS.test(text)) return text;
  return stripTerminalSequences(text.replaceAll("\r\n", "\n"))
    .split("\n")
    .map((line) => replaceControlCharacters((line.split("\r").at(-1) ?? "").replaceAll("\t", "   ")))
    .join("\n");
}
