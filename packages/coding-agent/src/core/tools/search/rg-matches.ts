/**
 * Results of a search by many threads, which arrive in any order, put into the order of their paths. Pure.
 */
import { compareKeys, pathKey } from "./path-order.js";
import { parseRgBegin } from "./rg-json.js";

/** What is kept at most: beyond it, searching in order and stopping early is cheaper than sorting. */
export interface RgMatchLimits {
  readonly matches: number;
  /** UTF-16 units of JSON. */
  readonly length: number;
}

export class RgMatches {
  private readonly files: { readonly key: string; readonly lines: string[] }[] = [];
  private matches = 0;
  private length = 0;

  constructor(private readonly limits: RgMatchLimits) {}

  /** Takes the next JSON line; `full` when there are too many to sort. Lines of one file come together. */
  push(json: string): "continue" | "full" {
    const path = parseRgBegin(json);
    if (path !== undefined) {
      this.files.push({ key: pathKey(path), lines: [] });
      return "continue";
    }
    const isMatch = json.startsWith('{"type":"match"');
    if (!isMatch && !json.startsWith('{"type":"context"')) return "continue";
    this.files.at(-1)?.lines.push(json);
    if (isMatch) this.matches++;
    this.length += json.length;
    return this.matches > this.limits.matches || this.length > this.limits.length ? "full" : "continue";
  }

  /** All lines, by path. */
  *sorted(): Generator<string> {
    this.files.sort((a, b) => compareKeys(a.key, b.key));
    for (const { lines } of this.files) yield* lines;
  }
}
