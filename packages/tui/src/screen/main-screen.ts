import { visibleWidth } from "../text/width.js";
import type { TuiStopOptions } from "../types.js";
import { imageIds } from "./image-ids.js";
import {
  anchorLine,
  collectLines,
  findAnchor,
  freshenLines,
  type LineAnchor,
  type LineNode,
  layoutLines,
} from "./line-tree.js";
import { paintRow } from "./paint-row.js";
import { LinePreparer, type PreparedLine } from "./prepare-line.js";
import { TuiBase } from "./tui-base.js";

/** What is on the screen, as far as this TUI drew it. Rows count from the first one it may reach. */
export interface TuiMainScreenRenderState {
  /** Rows as they were sent. */
  rows: string[];
  /** Index of the line on the first row. */
  top: number;
  /** The line on the first row, by its component. */
  anchor: LineAnchor | undefined;
  cursorRow: number;
  columns: number;
  height: number;
  /** Most lines ever drawn. */
  most: number;
  /** Whether lines have been drawn since the program began: they are in the terminal's scrollback then. */
  begun: boolean;
}

const emptyState = (): TuiMainScreenRenderState => ({
  rows: [],
  top: 0,
  anchor: undefined,
  cursorRow: 0,
  columns: 0,
  height: 0,
  most: 0,
  begun: false,
});

/**
 * Draws below the shell's prompt. Lines that scroll off the screen belong to the terminal's scrollback and are never
 * drawn again; a frame costs what has changed on the screen.
 */
export class TuiMainScreen extends TuiBase {
  readonly mode = "regular";
  private state = emptyState();
  private readonly preparer = new LinePreparer();
  private cursorShown = false;
  private cursorColumn: number | undefined;

  /** What is on the screen, for a renderer that goes on from there. */
  captureRenderState(): TuiMainScreenRenderState {
    return { ...this.state, rows: [...this.state.rows] };
  }

  restoreRenderState(state: TuiMainScreenRenderState): void {
    this.state = { ...state, rows: [...state.rows] };
  }

  protected enter(): void {
    // Wrapping is ours: a glyph that a terminal takes for wider must not shift the rows below.
    this.terminal.write("\x1b[?25l\x1b[?7l");
    this.terminal.restoreOnExit?.("", "\x1b[?7h\r\n");
    this.cursorShown = false;
  }

  protected leave({ preserveScreen }: TuiStopOptions): void {
    const { rows, cursorRow } = this.state;
    if (preserveScreen) {
      this.terminal.write("\x1b[?7h");
      return;
    }
    this.terminal.write(`${moveRows(cursorRow, Math.max(0, rows.length - 1))}\x1b[?7h\r\n`);
    this.state = { ...emptyState(), begun: this.state.begun };
  }

  protected drawFrame(force: boolean): void {
    const columns = Math.max(1, this.terminal.columns);
    const height = Math.max(1, this.terminal.rows);
    let node = this[layoutLines](columns, { rows: height, guess: false });
    const overlaid = this.hasOverlay();
    let total = overlaid ? Math.max(node.length, height) : node.length;
    let out = "";
    const resized = this.state.columns !== columns || this.state.height !== height;
    if (this.state.rows.length > 0 && (force || resized)) {
      out += this.erase(columns, height, resized ? "another size" : "asked for");
    } else if (this.state.rows.length === 0) {
      this.countFullRedraw("first frame");
      // What is in the scrollback already is not written a second time.
      this.state.top = this.state.begun ? Math.max(0, total - height) : 0;
    }
    if (out !== "") this.state.top = Math.max(0, total - height);
    this.state = { ...this.state, columns, height, begun: true };
    this.followAnchor(node, total, height, overlaid);
    // What scrolls off in this frame is right when it does.
    node = this[freshenLines](columns, this.state.top, node.length);
    total = overlaid ? Math.max(node.length, height) : node.length;
    const lines: string[] = [];
    collectLines(node, this.state.top, node.length, lines);
    while (this.state.top + lines.length < total) lines.push("");
    const composed = overlaid ? this.overlay(lines, columns, height) : lines;
    out += this.paint(this.prepare(composed, columns), columns, height);
    this.state.anchor = this.state.top < node.length ? anchorLine(node, this.state.top) : undefined;
    this.state.most = Math.max(this.state.most, total);
    this.writeFrame(out);
  }

  /** Forgets the screen: the terminal has moved its rows, or somebody else has written over them. */
  private erase(columns: number, height: number, reason: string): string {
    this.countFullRedraw(reason);
    const { rows, cursorRow, top } = this.state;
    const images = [...new Set(rows.flatMap(imageIds))].map((id) => `\x1b_Ga=d,d=I,i=${id},q=2\x1b\\`).join("");
    this.state = { ...this.state, rows: [], cursorRow: 0, anchor: undefined };
    if (top > 0 || rows.length >= Math.min(height, this.state.height)) return `${images}\x1b[H\x1b[J`;
    // Above is the shell's: go back to where we began, over the rows that a narrower terminal has made of ours.
    let above = 0;
    for (const row of rows.slice(0, cursorRow)) above += Math.max(1, Math.ceil(visibleWidth(row) / columns));
    return `${images}${moveRows(above, 0)}\r\x1b[J`;
  }

  /** Finds the line on the first row again, when lines above it have come or gone. */
  private followAnchor(node: LineNode, total: number, height: number, overlaid: boolean): void {
    const { state } = this;
    const bottom = Math.max(0, total - height);
    // While nothing has scrolled off, the first row is the first line.
    if (state.top > 0 && state.anchor) state.top = findAnchor(node, state.anchor) ?? Math.min(state.top, bottom);
    const shrunk = this.getClearOnShrink() && !overlaid && total < state.most;
    if (state.top >= total || shrunk) state.top = Math.min(state.top, bottom);
    if (shrunk) {
      state.most = total;
      this.countFullRedraw("fewer lines");
    }
  }

  private overlay(lines: readonly string[], columns: number, height: number): string[] {
    const above = Math.max(0, lines.length - height);
    return [...lines.slice(0, above), ...this.focus.stack.paint(lines.slice(above), columns, height)];
  }

  private prepare(lines: readonly string[], columns: number): PreparedLine[] {
    this.preparer.begin(columns, this.getShowHardwareCursor());
    return lines.map((line, at) => {
      const prepared = this.preparer.prepare(line);
      if (prepared.overWide !== undefined) this.reportOverWide(lines, at, prepared.overWide);
      return prepared;
    });
  }

  /** Brings the screen from the rows drawn last to these lines, of which the last `height` stay on it. */
  private paint(lines: readonly PreparedLine[], columns: number, height: number): string {
    const { rows } = this.state;
    let out = deleteGoneImages(rows, lines);
    let row = this.state.cursorRow;
    const kept = Math.min(rows.length, lines.length);
    for (let at = 0; at < rows.length; at++) {
      const before = rows[at] ?? "";
      const line = at < kept ? lines[at] : undefined;
      const after = line?.text ?? "";
      if (before === after) continue;
      const painted = line?.image || before.includes("\x1b_G") ? `\r\x1b[2K${after}` : paintRow(before, after, columns);
      out += moveRows(row, at) + painted;
      row = at;
    }
    if (lines.length > rows.length) {
      const appended = lines.slice(rows.length).map((line) => line.text);
      const begins = rows.length === 0;
      out += `${begins ? "\r" : `${moveRows(row, rows.length - 1)}\r\n`}${appended.join("\r\n")}`;
      row = lines.length - 1;
    }
    const scrolled = Math.max(0, lines.length - height);
    const next = lines.slice(scrolled).map((line) => line.text);
    // Rows once reached stay ours: they are cleared, not given back.
    while (next.length < Math.min(rows.length, height)) next.push("");
    this.state.top += scrolled;
    const cursor = this.placeCursor(lines, scrolled, row - scrolled, out !== "");
    this.state.rows = next;
    this.state.cursorRow = cursor.row;
    return out + cursor.out;
  }

  private placeCursor(
    lines: readonly PreparedLine[],
    scrolled: number,
    row: number,
    written: boolean,
  ): { out: string; row: number } {
    const at = lines.findLastIndex((line, index) => index >= scrolled && line.cursor !== undefined);
    const column = lines[at]?.cursor;
    const show = column !== undefined && this.getShowHardwareCursor();
    const visibility = show === this.cursorShown ? "" : show ? "\x1b[?25h" : "\x1b[?25l";
    this.cursorShown = show;
    if (column === undefined) {
      this.cursorColumn = undefined;
      return { out: visibility, row };
    }
    const target = at - scrolled;
    const stays = !written && target === row && column === this.cursorColumn;
    this.cursorColumn = column;
    // Even a hidden cursor is where input methods open their window.
    return { out: stays ? visibility : `${moveRows(row, target)}\x1b[${column + 1}G${visibility}`, row: target };
  }
}

function moveRows(from: number, to: number): string {
  if (from === to) return "";
  return to > from ? `\x1b[${to - from}B` : `\x1b[${from - to}A`;
}

/** Kitty keeps a picture until it is told otherwise. */
function deleteGoneImages(rows: readonly string[], lines: readonly PreparedLine[]): string {
  const before = new Set(rows.flatMap(imageIds));
  if (before.size === 0) return "";
  for (const line of lines) for (const id of imageIds(line.text)) before.delete(id);
  return [...before].map((id) => `\x1b_Ga=d,d=I,i=${id},q=2\x1b\\`).join("");
}
