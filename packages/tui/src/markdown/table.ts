import type { Tokens } from "marked";
import { visibleWidth } from "../text/width.js";
import { wrapTextWithAnsi } from "../text/wrap.js";

/** Columns that a cell needs at least. */
const MIN_COLUMN = 3;

/** A table in box lines at most `width` wide; undefined when it has no room. */
export function renderTable(
  token: Tokens.Table,
  width: number,
  cell: (cell: Tokens.TableCell, header: boolean) => string,
): string[] | undefined {
  const rows = [token.header, ...token.rows].map((row, at) => row.map((one) => cell(one, at === 0)));
  const count = token.header.length;
  const frame = 3 * count + 1;
  const room = width - frame;
  if (count === 0 || room < count * MIN_COLUMN) return undefined;
  const natural = Array.from({ length: count }, (_, column) =>
    Math.max(MIN_COLUMN, ...rows.map((row) => Math.max(...(row[column] ?? "").split("\n").map(visibleWidth)))),
  );
  const widths = shrink(natural, room);
  const rule = (left: string, middle: string, right: string) =>
    left + widths.map((one) => "─".repeat(one + 2)).join(middle) + right;
  const lines = [rule("┌", "┬", "┐")];
  for (const [at, row] of rows.entries()) {
    if (at > 0) lines.push(rule("├", "┼", "┤"));
    const cells = widths.map((one, column) => wrapTextWithAnsi(row[column] ?? "", one));
    const height = Math.max(...cells.map((one) => one.length));
    for (let line = 0; line < height; line++) {
      const parts = widths.map((one, column) => align(cells[column]?.[line] ?? "", one, token.align[column] ?? null));
      lines.push(`│ ${parts.join(" │ ")} │`);
    }
  }
  return [...lines, rule("└", "┴", "┘")];
}

/** Takes from the widest column until all fit. */
function shrink(natural: readonly number[], room: number): number[] {
  const widths = [...natural];
  let excess = widths.reduce((sum, one) => sum + one, 0) - room;
  while (excess > 0) {
    const widest = Math.max(...widths);
    const next = Math.max(MIN_COLUMN, ...widths.filter((one) => one < widest));
    const many = widths.filter((one) => one === widest).length;
    const take = Math.min(Math.max(1, widest - next), Math.max(1, Math.floor(excess / many)));
    for (const [at, one] of widths.entries()) {
      if (one !== widest || excess <= 0) continue;
      const less = Math.min(take, excess);
      widths[at] = one - less;
      excess -= less;
    }
  }
  return widths;
}

function align(text: string, width: number, how: "center" | "left" | "right" | null): string {
  const free = Math.max(0, width - visibleWidth(text));
  const left = how === "right" ? free : how === "center" ? Math.floor(free / 2) : 0;
  return " ".repeat(left) + text + " ".repeat(free - left);
}
