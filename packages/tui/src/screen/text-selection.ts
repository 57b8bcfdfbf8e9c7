import { stripTerminalSequences } from "../text/escapes.js";
import { sliceByColumn } from "../text/slice.js";
import { splitPieces, visibleWidth } from "../text/width.js";

/** A cell of a text: line and column. */
export interface TextCell {
  readonly line: number;
  readonly column: number;
}

/** What a drag selects: characters, after a double click words, after a triple click lines. */
export type SelectionUnit = "character" | "word" | "line";

/** A selection in the lines of a scroll view; it stays with the text when that scrolls. */
export class TextSelection {
  private anchor: TextCell | undefined;
  private head: TextCell | undefined;
  private unit: SelectionUnit = "character";

  begin(cell: TextCell, unit: SelectionUnit): void {
    this.anchor = cell;
    this.head = unit === "character" ? undefined : cell;
    this.unit = unit;
  }

  extend(cell: TextCell): void {
    if (this.anchor) this.head = cell;
  }

  clear(): void {
    this.anchor = undefined;
    this.head = undefined;
  }

  get active(): boolean {
    return this.anchor !== undefined && this.head !== undefined;
  }

  /** Columns selected in a line. */
  columns(line: number, text: string): readonly [from: number, to: number] | undefined {
    const { anchor, head } = this;
    if (!anchor || !head) return undefined;
    const forward = head.line > anchor.line || (head.line === anchor.line && head.column >= anchor.column);
    const [first, last] = forward ? [anchor, head] : [head, anchor];
    if (line < first.line || line > last.line) return undefined;
    const width = visibleWidth(text);
    if (this.unit === "line") return [0, width];
    let from = line === first.line ? first.column : 0;
    let to = line === last.line ? last.column + 1 : width;
    if (this.unit === "word") {
      if (line === first.line) from = wordAt(text, from)[0];
      if (line === last.line) to = wordAt(text, to - 1)[1];
    }
    return from < to ? [Math.min(from, width), Math.min(to, width)] : undefined;
  }

  /** The selected text; `lineAt` gives the lines of the view. */
  text(lineAt: (line: number) => string): string {
    const { anchor, head } = this;
    if (!anchor || !head) return "";
    const lines: string[] = [];
    for (let line = Math.min(anchor.line, head.line); line <= Math.max(anchor.line, head.line); line++) {
      const text = lineAt(line);
      const [from, to] = this.columns(line, text) ?? [0, 0];
      lines.push(stripTerminalSequences(sliceByColumn(text, from, to - from)).trimEnd());
    }
    return lines.join("\n");
  }
}

function wordAt(text: string, column: number): [from: number, to: number] {
  const isWord = (piece: string) => /[^\s()[\]{}<>"'`,;|]/.test(piece);
  let from = 0;
  let at = 0;
  for (const piece of splitPieces(text)) {
    if (piece.escape) continue;
    const end = at + piece.width;
    if (!isWord(piece.text)) {
      if (at > column) return [from, at];
      if (end > column) return [at, end];
      from = end;
    }
    at = end;
  }
  return [from, at];
}

/** A line with the columns between `from` and `to` drawn by a style. */
export function highlightColumns(line: string, from: number, to: number, style: (text: string) => string): string {
  const reset = "\x1b[0m\x1b]8;;\x07";
  const middle = stripTerminalSequences(sliceByColumn(line, from, to - from));
  const width = visibleWidth(line);
  return `${sliceByColumn(line, 0, from)}${reset}${style(middle)}${reset}${to < width ? sliceByColumn(line, to, width - to) : ""}`;
}
