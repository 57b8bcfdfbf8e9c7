import { graphemeWidth, splitGraphemes } from "../text/grapheme-width.js";
import { isPrintableAscii } from "../text/width.js";
import type { TextModel } from "./text-model.js";
import type { AtomicRanges } from "./words.js";

/** One row of an editor: a stretch of a line. */
export interface VisualRow {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** The line goes on in the next row. */
  readonly continues: boolean;
}

interface Unit {
  readonly start: number;
  readonly end: number;
  readonly width: number;
  readonly breakAfter: boolean;
}

/** The rows of a text at a width. Lines break behind spaces and ideographs, else where they must. */
export function visualRows(model: TextModel, width: number): VisualRow[] {
  return model.lines.flatMap((text, line) => wrapLine(text, line, width, model.markers(text)));
}

function wrapLine(text: string, line: number, width: number, markers: AtomicRanges): VisualRow[] {
  if (text.length <= width && isPrintableAscii(text)) return [{ line, start: 0, end: text.length, continues: false }];
  const rows: VisualRow[] = [];
  const list = units(text, markers, width);
  let start = 0;
  let used = 0;
  let breakAt = -1;
  let breakUsed = 0;
  for (const unit of list) {
    while (used + unit.width > width && unit.start > start) {
      const end = breakAt > start ? breakAt : unit.start;
      rows.push({ line, start, end, continues: true });
      used = breakAt > start ? used - breakUsed : 0;
      start = end;
      breakAt = -1;
    }
    used += unit.width;
    if (unit.breakAfter) {
      breakAt = unit.end;
      breakUsed = used;
    }
  }
  rows.push({ line, start, end: text.length, continues: false });
  return rows;
}

function units(text: string, markers: AtomicRanges, width: number): Unit[] {
  const list: Unit[] = [];
  let at = 0;
  const addText = (end: number) => {
    for (const cluster of splitGraphemes(text.slice(at, end))) {
      const breakAfter = /^[\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(cluster);
      list.push({ start: at, end: at + cluster.length, width: graphemeWidth(cluster), breakAfter });
      at += cluster.length;
    }
  };
  for (const { start, end } of markers) {
    addText(start);
    // A marker that no row can hold is broken like text.
    if (end - start > width) continue;
    list.push({ start, end, width: end - start, breakAfter: false });
    at = end;
  }
  addText(text.length);
  return list;
}

/** Index of the row that shows a position; at a break the cursor is at the start of the next row. */
export function rowOf(rows: readonly VisualRow[], line: number, col: number): number {
  const at = rows.findIndex((row) => row.line === line && col >= row.start && (col < row.end || !row.continues));
  return Math.max(0, at);
}
