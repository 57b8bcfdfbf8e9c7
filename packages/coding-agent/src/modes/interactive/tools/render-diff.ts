import { currentTheme } from "../theme/current.js";
import { markChanges } from "./word-diff.js";

export interface RenderDiffOptions {
  filePath?: string | undefined;
}

interface DiffLine {
  readonly sign: "+" | "-" | " ";
  /** Sign and number. */
  readonly head: string;
  readonly text: string;
}

const LINE = /^([+\- ])(\s*\d+) (.*)$/s;

/**
 * A numbered diff (`details.diff` of the edit tool) in colours. Where one line took the place of one other, what
 * changed in it is marked.
 */
export function renderDiff(diff: string, _options: RenderDiffOptions = {}): string {
  const theme = currentTheme();
  const lines = diff.split("\n").map(parse);
  const drawn: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at];
    if (!line) continue;
    const next = lines[at + 1];
    if (next && isPair(lines, at)) {
      const marked = markChanges(line.text, next.text, (text) => theme.inverse(text));
      drawn.push(theme.fg("toolDiffRemoved", line.head + marked.before));
      drawn.push(theme.fg("toolDiffAdded", next.head + marked.after));
      at++;
    } else drawn.push(theme.fg(tokenOf(line.sign), line.head + line.text));
  }
  return drawn.join("\n");
}

function tokenOf(sign: DiffLine["sign"]) {
  return sign === "+" ? "toolDiffAdded" : sign === "-" ? "toolDiffRemoved" : "toolDiffContext";
}

/** Exactly one removed line, followed by exactly one added line. */
function isPair(lines: readonly (DiffLine | undefined)[], at: number): boolean {
  const signs = [-1, 0, 1, 2].map((step) => lines[at + step]?.sign);
  return signs[0] !== "-" && signs[1] === "-" && signs[2] === "+" && signs[3] !== "+";
}

function parse(line: string): DiffLine {
  const match = LINE.exec(line);
  const text = (match?.[3] ?? line).replaceAll("\t", "   ");
  return { sign: (match?.[1] ?? " ") as DiffLine["sign"], head: match ? `${match[1]}${match[2]} ` : "", text };
}
