const isRule = (row: string) => /^─+$/.test(row);

/** What rows say, without how it is broken into rows. */
export function wordsOf(rows: readonly string[]): string {
  return rows
    .filter((row) => !isRule(row))
    .join(" ")
    .replace(/\s+/g, " ")
    .trim();
}

/**
 * The rows of the last part of the screen that is between two rules: the editor, or what is in its place. Rules that do
 * not go from edge to edge are none.
 */
export function betweenRules(screen: readonly string[], columns: number): string[] {
  const rule = "─".repeat(columns);
  const end = screen.lastIndexOf(rule);
  const begin = screen.lastIndexOf(rule, end - 1);
  return begin < 0 ? [] : screen.slice(begin + 1, end);
}
