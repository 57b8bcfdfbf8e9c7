/**
 * The lines of a text that a reader asked for, found while the text goes by: memory holds what is shown, not the text.
 * Pure. Source: agent-and-tools.md B1 (Text).
 */
import { DEFAULT_MAX_BYTES, DEFAULT_MAX_LINES, type TruncationResult, truncateHead } from "../truncate.js";

export interface WindowOptions {
  /** 0-based first line. */
  readonly start: number;
  /** Lines wanted; all by default. */
  readonly count?: number | undefined;
  readonly maxLines?: number;
  readonly maxBytes?: number;
}

export interface LineWindowResult {
  /** Of the whole text; a final newline counts as one more, empty line. */
  readonly totalLines: number;
  /** Whether the last of them is that empty line. */
  readonly endsWithNewline: boolean;
  /** Lines selected by `start` and `count`. */
  readonly selectedLines: number;
  /** UTF-8 bytes of the first selected line. */
  readonly firstLineBytes: number;
  /** What `truncateHead` makes of the selected lines. */
  readonly truncation: TruncationResult;
}

export class LineWindow {
  private readonly maxLines: number;
  private readonly maxBytes: number;
  private readonly end: number;
  /** Index of the line that is arriving. */
  private line = 0;
  private lastCharacter = "";
  private selectedBytes = 0;
  private firstLineBytes = 0;
  private selectedNewlines = 0;
  private selectionEndsLine = false;
  /** The start of the selection, somewhat more than can be shown. */
  private kept: string[] = [];
  private keptBytes = 0;
  private keptNewlines = 0;

  constructor(private readonly options: WindowOptions) {
    this.maxLines = options.maxLines ?? DEFAULT_MAX_LINES;
    this.maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
    this.end = options.start + (options.count ?? Number.POSITIVE_INFINITY);
  }

  push(text: string): void {
    if (text === "") return;
    this.lastCharacter = text.at(-1) ?? "";
    let at = 0;
    while (at < text.length) {
      const newline = text.indexOf("\n", at);
      const lineEnd = newline === -1 ? text.length : newline;
      if (this.line >= this.options.start && this.line < this.end) {
        // The newline after the last selected line is not part of the selection.
        const to = newline !== -1 && this.line + 1 < this.end ? newline + 1 : lineEnd;
        this.select(text.slice(at, to), lineEnd - at);
      }
      if (newline === -1) return;
      this.line++;
      at = newline + 1;
    }
  }

  finish(): LineWindowResult {
    const totalLines = this.line + 1;
    const selectedLines = Math.max(0, Math.min(totalLines, this.end) - this.options.start);
    return {
      totalLines,
      endsWithNewline: this.lastCharacter === "\n",
      selectedLines,
      firstLineBytes: this.firstLineBytes,
      truncation: this.truncate(),
    };
  }

  private select(text: string, lineLength: number): void {
    if (text === "") return;
    const bytes = Buffer.byteLength(text);
    this.selectedBytes += bytes;
    this.selectionEndsLine = text.endsWith("\n");
    if (this.selectionEndsLine) this.selectedNewlines++;
    if (this.line === this.options.start) this.firstLineBytes += Buffer.byteLength(text.slice(0, lineLength));
    // One byte more than the limit, or one line more, already decides what is shown.
    if (this.keptBytes > this.maxBytes + 1 || this.keptNewlines > this.maxLines) return;
    this.kept.push(text);
    this.keptBytes += bytes;
    if (this.selectionEndsLine) this.keptNewlines++;
  }

  /** As `truncateHead` of the whole selection: its start decides what is shown, the totals are counted. */
  private truncate(): TruncationResult {
    const head = truncateHead(this.kept.join(""), { maxLines: this.maxLines, maxBytes: this.maxBytes });
    const lastLine = this.selectedBytes > 0 && !this.selectionEndsLine ? 1 : 0;
    return { ...head, totalLines: this.selectedNewlines + lastLine, totalBytes: this.selectedBytes };
  }
}
