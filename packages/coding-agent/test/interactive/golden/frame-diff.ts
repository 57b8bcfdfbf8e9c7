import { type Cell, type Frame, rowStyles } from "./frame.js";

const BLANK: Cell = { text: " ", style: "" };

/**
 * Both frames side by side, with a row of marks below each row that changed: `^` where the text is another one, `~` where
 * only the style is. Undefined: they are the same.
 */
export function frameDiff(stored: Frame, now: Frame): string | undefined {
  const height = Math.max(stored.length, now.length);
  const columns = Math.max(6, ...[...stored, ...now].map((row) => row.length));
  const lines: string[] = [];
  let changedCells = 0;
  let changedRows = 0;
  for (let at = 0; at < height; at++) {
    const [before = [], after = []] = [stored[at], now[at]];
    lines.push(sideBySide(String(at + 1), drawn(before, columns), drawn(after, columns)));
    const marks = marksOf(before, after, columns);
    if (marks.trim() === "") continue;
    changedRows++;
    changedCells += marks.replaceAll(" ", "").length;
    lines.push(sideBySide("", marks, marks));
    const [stylesBefore, stylesAfter] = [rowStyles(before), rowStyles(after)];
    if (stylesBefore !== stylesAfter) {
      lines.push(`     styles were ${stylesBefore || "none"}`, `     styles are  ${stylesAfter || "none"}`);
    }
  }
  if (changedCells === 0 && stored.length === now.length) return undefined;
  const counted = `${changedCells} cells in ${changedRows} rows differ`;
  const size = stored.length === now.length ? "" : `; there were ${stored.length} rows, now there are ${now.length}`;
  return [`${counted}${size} (^ text, ~ style):`, sideBySide("row", "stored".padEnd(columns), "now"), ...lines].join(
    "\n",
  );
}

const sideBySide = (row: string, left: string, right: string) => `${row.padStart(4)} ${left} │ ${right.trimEnd()}`;

function drawn(row: readonly Cell[], columns: number): string {
  return Array.from({ length: columns }, (_, column) => (row[column] ?? BLANK).text).join("");
}

function marksOf(before: readonly Cell[], after: readonly Cell[], columns: number): string {
  return Array.from({ length: columns }, (_, column) => {
    const [one, other] = [before[column] ?? BLANK, after[column] ?? BLANK];
    if (one.text !== other.text) return "^";
    return one.style === other.style ? " " : "~";
  }).join("");
}
