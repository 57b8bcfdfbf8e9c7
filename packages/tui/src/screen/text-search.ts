import { stripTerminalSequences } from "../text/escapes.js";
import { visibleWidth } from "../text/width.js";

export interface SearchMatch {
  readonly line: number;
  readonly from: number;
  readonly to: number;
}

/** Matches of a text in lines, in any case. */
export function findMatches(lines: readonly string[], query: string): SearchMatch[] {
  const wanted = query.toLowerCase();
  if (wanted === "") return [];
  const matches: SearchMatch[] = [];
  for (const [line, styled] of lines.entries()) {
    const text = stripTerminalSequences(styled);
    const lower = text.toLowerCase();
    // Lower case may be longer than the text; positions are those of the text only when it is not.
    if (lower.length !== text.length) continue;
    for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + wanted.length)) {
      const from = visibleWidth(text.slice(0, at));
      matches.push({ line, from, to: from + visibleWidth(text.slice(at, at + wanted.length)) });
    }
  }
  return matches;
}
