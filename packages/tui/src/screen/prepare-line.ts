import { CURSOR_MARKER, FAKE_CURSOR_END, FAKE_CURSOR_START } from "../cursor.js";
import { isSgr } from "../text/escapes.js";
import { decomposeAm } from "../text/grapheme-width.js";
import { isPrintableAscii, splitPieces } from "../text/width.js";

/** A line as it may be sent: no wider than the terminal, nothing that moves the cursor, styles closed. */
export interface PreparedLine {
  readonly text: string;
  readonly image: boolean;
  /** Column of the cursor, when the line has it. */
  readonly cursor?: number;
  /** Columns the line wanted, when it had to be cut. */
  readonly overWide?: number;
}

/** Lines that draw a picture: their width says nothing about the space they take. */
export function isImageLine(line: string): boolean {
  return line.includes("\x1b_G") || line.includes("\x1b]1337;File=");
}

const RESET = "\x1b[0m";
const CLOSE_LINK = "\x1b]8;;\x07";

export function prepareLine(line: string, width: number, hardwareCursor: boolean): PreparedLine {
  if (line.length <= width && isPrintableAscii(line)) return { text: line, image: false };
  if (isImageLine(line)) return { text: line, image: true };
  let text = "";
  let columns = 0;
  let wanted = 0;
  let cursor: number | undefined;
  let afterMarker = false;
  let plainCursor = false;
  let styled = false;
  let linked = false;
  for (const piece of splitPieces(line)) {
    if (!piece.escape) {
      wanted += piece.width;
      afterMarker = false;
      if (wanted > width || columns < wanted - piece.width) continue;
      columns = wanted;
      text += visible(piece.text, piece.width);
    } else if (piece.text === CURSOR_MARKER) {
      cursor = Math.min(wanted, Math.max(0, width - 1));
      afterMarker = true;
    } else if (piece.text === FAKE_CURSOR_START) {
      plainCursor = hardwareCursor && afterMarker;
      if (!plainCursor) text += "\x1b[7m";
      styled = true;
    } else if (piece.text === FAKE_CURSOR_END) {
      if (!plainCursor) text += "\x1b[27m";
      plainCursor = false;
    } else if (isSgr(piece.text)) {
      text += piece.text;
      styled = true;
    } else if (piece.text.startsWith("\x1b]8;")) {
      text += piece.text;
      linked = true;
    }
  }
  return {
    text: text + (styled ? RESET : "") + (linked ? CLOSE_LINK : ""),
    image: false,
    ...(cursor !== undefined && { cursor }),
    ...(wanted > width && { overWide: wanted }),
  };
}

function visible(cluster: string, width: number): string {
  if (cluster === "\t") return "   ";
  if (width === 0 && /^\p{Cc}+$/u.test(cluster)) return "";
  return decomposeAm(cluster);
}

/** Remembers what the lines of the last frame became: most lines of a frame were in the frame before. */
export class LinePreparer {
  private known = new Map<string, PreparedLine>();
  private next = new Map<string, PreparedLine>();
  private width = 0;
  private hardwareCursor = false;

  begin(width: number, hardwareCursor: boolean): void {
    this.known = width === this.width && hardwareCursor === this.hardwareCursor ? this.next : new Map();
    this.next = new Map();
    this.width = width;
    this.hardwareCursor = hardwareCursor;
  }

  prepare(line: string): PreparedLine {
    const prepared = this.known.get(line) ?? prepareLine(line, this.width, this.hardwareCursor);
    this.next.set(line, prepared);
    return prepared;
  }
}
