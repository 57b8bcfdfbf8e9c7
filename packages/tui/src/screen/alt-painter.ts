import { imageIds } from "./image-ids.js";
import { paintRow } from "./paint-row.js";
import { LinePreparer, prepareLine } from "./prepare-line.js";
import { scrollRows } from "./scroll-rows.js";

/** What a frame sends, and what there is to say about it. */
interface AltFrame {
  readonly out: string;
  readonly full: boolean;
  readonly overWide?: { readonly index: number; readonly width: number };
}

/** The rows of the alternate screen as they were sent last, and how to get from there to others. */
export class AltPainter {
  /** The rows before they were prepared: with links and marks. */
  lines: readonly string[] = [];
  private rows: string[] = [];
  private size = "";
  private cursor = "";
  private cursorShown = false;
  private readonly preparer = new LinePreparer();

  reset(): void {
    this.rows = [];
    this.size = "";
    this.cursor = "";
    this.cursorShown = false;
  }

  paint(
    lines: readonly string[],
    columns: number,
    height: number,
    options: { force: boolean; hardwareCursor: boolean },
  ): AltFrame {
    const size = `${columns}x${height}`;
    const full = options.force || size !== this.size;
    this.size = size;
    this.lines = lines;
    this.preparer.begin(columns, options.hardwareCursor);
    const prepared = lines.slice(0, height).map((line) => this.preparer.prepare(line));
    let out = "";
    if (full) {
      out += `${deleteImages(this.rows, [])}\x1b[2J`;
      this.rows = [];
    }
    const next = prepared.map((line) => line.text);
    out += deleteImages(this.rows, next);
    const scrolled = scrollRows(this.rows, next);
    out += scrolled.out;
    this.rows = scrolled.rows;
    for (const [row, line] of prepared.entries()) {
      const before = this.rows[row] ?? "";
      if (before === line.text) continue;
      const painted =
        line.image || before.includes("\x1b_G") ? `\x1b[2K${line.text}` : paintRow(before, line.text, columns);
      out += `\x1b[${row + 1};1H${painted}`;
    }
    this.rows = next;
    const at = prepared.findLastIndex((line) => line.cursor !== undefined);
    const column = prepared[at]?.cursor ?? 0;
    // Even a hidden cursor is where input methods open their window.
    const cursor = at < 0 ? "" : `\x1b[${at + 1};${column + 1}H`;
    if (out !== "" || cursor !== this.cursor) out += cursor;
    this.cursor = cursor;
    const shown = at >= 0 && options.hardwareCursor;
    if (shown !== this.cursorShown) out += `\x1b[?25${shown ? "h" : "l"}`;
    this.cursorShown = shown;
    const index = prepared.findIndex((line) => line.overWide !== undefined);
    const width = prepared[index]?.overWide;
    return { out, full, ...(width !== undefined && { overWide: { index, width } }) };
  }

  /** Lines as they are printed on the main screen at the end. */
  document(lines: readonly string[], columns: number): string[] {
    return lines.map((line) => prepareLine(line, columns, true).text);
  }
}

function deleteImages(before: readonly string[], after: readonly string[]): string {
  const gone = new Set(before.flatMap(imageIds));
  if (gone.size === 0) return "";
  for (const line of after) for (const id of imageIds(line)) gone.delete(id);
  return [...gone].map((id) => `\x1b_Ga=d,d=I,i=${id},q=2\x1b\\`).join("");
}
