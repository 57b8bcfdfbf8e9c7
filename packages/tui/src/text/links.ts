import { StyleState } from "./style-state.js";
import { splitPieces } from "./width.js";

/** The text as an OSC 8 hyperlink. */
export function hyperlink(text: string, url: string): string {
  return `\x1b]8;;${url}\x1b\\${text}\x1b]8;;\x1b\\`;
}

/** Address of the hyperlink at a column of a line (0 = first). */
export function getOsc8LinkAtColumn(line: string, col: number): string | undefined {
  if (!line.includes("\x1b]8;")) return undefined;
  const state = new StyleState();
  let column = 0;
  for (const piece of splitPieces(line)) {
    if (piece.escape) state.apply(piece.text);
    if (col >= column && col < column + piece.width) return state.link;
    column += piece.width;
  }
  return undefined;
}
