import { appendFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { visibleWidth } from "../text/width.js";

/** Writes down a line that was too wide, with the lines around it, for whoever made the component. */
export function reportOverWideLine(
  lines: readonly string[],
  index: number,
  width: number,
  columns: number,
  directory = tmpdir(),
): void {
  const report = [
    `${new Date().toISOString()} Rendered line ${index} exceeds terminal width (${width} > ${columns}). It was cut.`,
    ...lines.map((line, at) => `${at} (${visibleWidth(line)}): ${JSON.stringify(line)}`),
    "",
  ];
  try {
    appendFileSync(join(directory, "pi-tui-crash.log"), report.join("\n"));
  } catch {
    // A report that cannot be written must not take the screen down.
  }
}
