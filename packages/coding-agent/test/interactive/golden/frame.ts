import { visibleWidth } from "@earendil-works/pi-tui";

/** One column of a screen. The second column of a wide character has no text. */
export interface Cell {
  text: string;
  /** In words, such as `accent bold on selectedBg`; empty: as the terminal draws by itself. */
  style: string;
}

/** Rows of a screen, each as wide as the screen. */
export type Frame = readonly (readonly Cell[])[];

const BLANK: Cell = { text: " ", style: "" };
const segmenter = new Intl.Segmenter();

export const rowText = (row: readonly Cell[]): string =>
  row
    .map(({ text }) => text)
    .join("")
    .trimEnd();

/** `1-3 accent bold; 6-11 dim`: the columns of a row that have a style. */
export function rowStyles(row: readonly Cell[]): string {
  const runs: { from: number; to: number; style: string }[] = [];
  for (const [column, { style }] of row.entries()) {
    const last = runs.at(-1);
    if (last?.style === style && last.to === column - 1) last.to = column;
    else runs.push({ from: column, to: column, style });
  }
  return runs
    .filter(({ style }) => style !== "")
    .map(({ from, to, style }) => `${from}-${to} ${style}`)
    .join("; ");
}

/** A frame as a text to be stored: `|` is in front of what a row says, `~` in front of its styles. */
export function formatFrame(frame: Frame): string {
  const lines = frame.flatMap((row) => {
    const styles = rowStyles(row);
    return [`|${rowText(row)}`, ...(styles === "" ? [] : [`~ ${styles}`])];
  });
  return `${lines.join("\n")}\n`;
}

/** The frame that a stored text tells of. */
export function parseFrame(text: string, columns: number): Frame {
  const rows: Cell[][] = [];
  for (const line of text.split("\n")) {
    if (line.startsWith("|")) rows.push(cellsOf(line.slice(1), columns));
    else if (line.startsWith("~ ")) addStyles(rows.at(-1) ?? [], line.slice(2));
  }
  return rows;
}

function cellsOf(text: string, columns: number): Cell[] {
  const cells = [...segmenter.segment(text)].flatMap(({ segment }): Cell[] =>
    visibleWidth(segment) === 2
      ? [
          { text: segment, style: "" },
          { text: "", style: "" },
        ]
      : [{ text: segment, style: "" }],
  );
  while (cells.length < columns) cells.push({ ...BLANK });
  return cells;
}

function addStyles(row: Cell[], runs: string): void {
  for (const run of runs.split("; ")) {
    const [, from, to, style = ""] = /^(\d+)-(\d+) (.*)$/.exec(run) ?? [];
    for (let column = Number(from); column <= Number(to); column++) {
      const cell = row[column];
      if (cell) cell.style = style;
    }
  }
}
