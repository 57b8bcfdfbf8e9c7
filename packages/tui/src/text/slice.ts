import { StyleState } from "./style-state.js";
import { splitPieces, visibleWidth } from "./width.js";

/**
 * The columns `start` to `start + length` of a line, with the styles in force there. A wide glyph that begins before
 * `start` is left out; one that crosses the end is kept, or dropped with `strict`.
 */
export function sliceByColumn(line: string, start: number, length: number, strict = false): string {
  const end = start + length;
  const state = new StyleState();
  let column = 0;
  let slice = "";
  let inside = false;
  for (const piece of splitPieces(line)) {
    if (column >= end && !(piece.width === 0 && !piece.escape)) break;
    if (piece.escape) {
      state.apply(piece.text);
      if (inside) slice += piece.text;
    } else if (column >= start && column < end + (piece.width === 0 ? 1 : 0)) {
      if (strict && column + piece.width > end) break;
      if (!inside) {
        // A mark without its base would land on something else.
        if (piece.width === 0 && column > 0) continue;
        slice += state.open();
        inside = true;
      }
      slice += piece.text;
    }
    column += piece.width;
  }
  return slice;
}

/**
 * Paints an overlay over a line: exactly `totalWidth` columns, or fewer when the line ends before. Wide glyphs that an
 * edge cuts become spaces, and what is right of the overlay keeps its style.
 */
export function compositeTuiLine(
  base: string,
  overlay: string,
  startCol: number,
  overlayWidth: number,
  totalWidth: number,
): string {
  const start = Math.max(0, Math.min(startCol, totalWidth));
  const width = Math.max(0, Math.min(overlayWidth, totalWidth - start));
  const left = padded(sliceByColumn(base, 0, start, true), start);
  const middle = padded(sliceByColumn(overlay, 0, width, true), width);
  const after = start + width;
  const right = padStart(sliceByColumn(base, after, totalWidth - after, true), base, after, totalWidth);
  return `${left}${RESET}${middle}${RESET}${right}`;
}

const RESET = "\x1b[0m\x1b]8;;\x07";

function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - visibleWidth(text)));
}

/** A glyph cut by the overlay's right edge leaves a gap, so that the rest keeps its columns. */
function padStart(slice: string, base: string, after: number, totalWidth: number): string {
  const expected = Math.min(totalWidth, visibleWidth(base)) - after;
  const gap = visibleWidth(sliceByColumn(base, 0, after)) - after;
  return expected > 0 && gap > 0 ? " ".repeat(gap) + slice : slice;
}
