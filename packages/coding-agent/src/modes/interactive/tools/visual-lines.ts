import { type Component, Text } from "@earendil-works/pi-tui";
import { Drawn } from "../screen/drawn.js";

export interface VisualTruncateResult {
  visualLines: readonly string[];
  skippedCount: number;
}

/** Rows of a text as it is wrapped, at most `max` of them, from its start or its end. */
export function truncateToVisualLines(
  text: string,
  max: number,
  width: number,
  paddingX = 0,
  keep: "start" | "end" = "end",
): VisualTruncateResult {
  if (text === "") return { visualLines: [], skippedCount: 0 };
  const lines = new Text(text, paddingX, 0).render(width);
  const skippedCount = Math.max(0, lines.length - max);
  if (skippedCount === 0) return { visualLines: lines, skippedCount };
  return { visualLines: keep === "end" ? lines.slice(-max) : lines.slice(0, max), skippedCount };
}

/**
 * A text of which only some rows are shown, with a line that says how many are not.
 *
 * @param note makes that line from the number of rows left out
 */
export function shortened(
  text: string,
  max: number,
  keep: "start" | "end",
  note: (skipped: number) => string,
): Component {
  return new Drawn((width) => {
    const { visualLines, skippedCount } = truncateToVisualLines(text, max, width, 0, keep);
    if (skippedCount === 0) return visualLines;
    const hint = new Text(note(skippedCount), 0, 0).render(width);
    return keep === "end" ? [...hint, ...visualLines] : [...visualLines, ...hint];
  });
}
