import { CURSOR_MARKER, renderFakeCursor } from "../cursor.js";
import { splitGraphemes } from "../text/grapheme-width.js";
import { visibleWidth } from "../text/width.js";

/** A rule with a label in its middle. */
export function editorBorder(width: number, label: string): string {
  const free = width - visibleWidth(label);
  if (label === "" || free < 2) return "─".repeat(Math.max(0, width));
  const left = Math.floor(free / 2);
  return "─".repeat(left) + label + "─".repeat(free - left);
}

/** A row of text, filled to the width, with the cursor on the character at `cursor` or behind the last one. */
export function editorRow(text: string, cursor: number | undefined, width: number, padding: number): string {
  const margin = " ".repeat(padding);
  const used = visibleWidth(text);
  const room = width - 2 * padding;
  if (cursor === undefined) return margin + text + " ".repeat(Math.max(0, width - padding - used));
  let at = cursor;
  // Behind a row that fills the width there is no cell for the cursor: it stands on the last character.
  if (at >= text.length && used >= room + padding) at = text.length - (splitGraphemes(text).at(-1)?.length ?? 0);
  const cell = splitGraphemes(text.slice(at))[0] ?? " ";
  const after = text.slice(at + cell.length);
  const total = padding + Math.max(used, visibleWidth(text.slice(0, at) + cell));
  return `${margin}${text.slice(0, at)}${CURSOR_MARKER}${renderFakeCursor(cell)}${after}${" ".repeat(Math.max(0, width - total))}`;
}
