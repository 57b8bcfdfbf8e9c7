/**
 * Results of a search by many threads, which arrive in any order, put into the order of their paths. Pure.
 */
import type { FoundLine } from "./line-collector.js";
import { compareKeys, pathKey } from "./path-order.js";

/** What is kept at most: beyond it, searching in order and stopping early is cheaper than sorting. */
export interface RgMatchLimits {
  readonly matches: number;
  /** UTF-16 units of text. */
  readonly length: number;
}

/** What a line takes beside its text, in the same unit. */
const LINE_COST = 100;

export class RgMatches {
  private readonly files: { readonly path: string; readonly lines: FoundLine[] }[] = [];
  private matches = 0;
  private length = 0;

  constructor(private readonly limits: RgMatchLimits) {}

  /** Takes the next line; `full` when there are too many to sort. Lines of one file come together. */
  push(line: FoundLine): "continue" | "full" {
    let file = this.files.at(-1);
    if (file?.path !== line.path) {
      file = { path: line.path, lines: [] };
      this.files.push(file);
    }
    file.lines.push(line);
    if (line.type === "match") this.matches++;
    this.length += line.text.length + LINE_COST;
    return this.matches > this.limits.matches || this.length > this.limits.length ? "full" : "continue";
  }

  /** All lines, by path. */
  *sorted(): Generator<FoundLine> {
    const keyed = this.files.map(({ path, lines }) => ({ key: pathKey(path), lines }));
    keyed.sort((a, b) => compareKeys(a.key, b.key));
    for (const { lines } of keyed) yield* lines;
  }
}
