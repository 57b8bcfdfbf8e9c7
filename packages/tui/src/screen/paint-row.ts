import { StyleState } from "../text/style-state.js";
import { splitPieces, visibleWidth } from "../text/width.js";

interface Cell {
  readonly text: string;
  readonly width: number;
  /** Sequence that turns a plain terminal into the cell's style. */
  readonly style: string;
}

/**
 * Bytes that turn the row `before` into `after`, from any column of that row. Only the run of cells that differs is
 * sent, when every terminal agrees on the width of all of them; otherwise the row is cleared and written anew.
 */
export function paintRow(before: string, after: string, columns: number): string {
  const whole = `\r\x1b[2K${after}`;
  const old = toCells(before);
  const next = toCells(after);
  if (!old || !next) return whole;
  let from = 0;
  while (from < old.length && from < next.length && same(old[from], next[from])) from++;
  const oldWidth = widthOf(old);
  const nextWidth = widthOf(next);
  let end = next.length;
  if (oldWidth === nextWidth) {
    let oldEnd = old.length;
    while (end > from && oldEnd > from && same(old[oldEnd - 1], next[end - 1])) {
      end--;
      oldEnd--;
    }
  }
  const column = widthOf(next.slice(0, from));
  // At the last column the cursor still stands on the cell it wrote; erasing there would take it away.
  const erase = nextWidth < oldWidth && nextWidth < columns ? "\x1b[K" : "";
  const run = `${column === 0 ? "\r" : `\x1b[${column + 1}G`}${writeCells(next.slice(from, end))}${erase}`;
  return run.length < whole.length ? run : whole;
}

/** Undefined when terminals may disagree about the columns of a cell. */
function toCells(line: string): Cell[] | undefined {
  const cells: Cell[] = [];
  const state = new StyleState();
  let style = "";
  for (const piece of splitPieces(line)) {
    if (piece.escape) {
      state.apply(piece.text);
      style = state.open();
      continue;
    }
    if (!isCertain(piece.text)) return undefined;
    cells.push({ text: piece.text, width: piece.width, style });
  }
  return cells;
}

/** Latin, Greek, Cyrillic, box drawing and ideographs: one code point, one width everywhere. */
function isCertain(cluster: string): boolean {
  if (cluster.length !== 1) return false;
  const code = cluster.charCodeAt(0);
  return (
    (code >= 0x20 && code < 0x7f) ||
    (code >= 0xa0 && code < 0x2000 && visibleWidth(cluster) === 1 && code < 0x530) ||
    (code >= 0x2010 && code <= 0x2027) ||
    (code >= 0x2190 && code <= 0x2193) ||
    (code >= 0x2500 && code <= 0x259f) ||
    (code >= 0x2800 && code <= 0x28ff) ||
    (code >= 0x3041 && code <= 0x30ff) ||
    (code >= 0x4e00 && code <= 0x9fff) ||
    (code >= 0xac00 && code <= 0xd7a3)
  );
}

function same(a: Cell | undefined, b: Cell | undefined): boolean {
  return a?.text === b?.text && a?.style === b?.style;
}

function widthOf(cells: readonly Cell[]): number {
  let width = 0;
  for (const cell of cells) width += cell.width;
  return width;
}

function writeCells(cells: readonly Cell[]): string {
  let text = "";
  let style = "";
  for (const cell of cells) {
    if (cell.style !== style) {
      text += close(style) + cell.style;
      style = cell.style;
    }
    text += cell.text;
  }
  return text + close(style);
}

function close(style: string): string {
  if (style === "") return "";
  return style.includes("\x1b]8;") ? "\x1b[0m\x1b]8;;\x07" : "\x1b[0m";
}
