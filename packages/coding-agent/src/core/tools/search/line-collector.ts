/**
 * From the lines that a search finds to those that a model reads. Pure. Source: agent-and-tools.md B6.
 */
import { truncateLine } from "../truncate.js";

/** A line of a file, whichever program found it. */
export interface FoundLine {
  readonly type: "match" | "context";
  /** As the search program writes it. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** With or without its terminator. Of a long line at least what is shown of it, and one UTF-16 unit more. */
  readonly text: string;
}

export interface LineCollectorOptions {
  /** Matches shown. */
  readonly limit: number;
  /** Context lines round each match. */
  readonly context: number;
  /** Base name shown when one file is searched. */
  readonly fileName?: string | undefined;
}

/** Gathers result lines until the limit is known to be reached or not. */
export class LineCollector {
  readonly lines: string[] = [];
  /** A match beyond the limit exists. */
  hasMore = false;
  linesTruncated = false;
  private matches = 0;
  private lastMatch: { path: string; line: number } | undefined;

  constructor(private readonly options: LineCollectorOptions) {}

  /** Takes the next line; `stop` when no later one can change the result. */
  push(found: FoundLine): "continue" | "stop" {
    const path = this.options.fileName ?? found.path.replace(/^\.[/\\]/, "");
    const { type, line, text } = found;
    if (this.matches >= this.options.limit) {
      if (type === "match") this.hasMore = true;
      const trailing = this.lastMatch?.path === path && line <= this.lastMatch.line + this.options.context;
      if (!trailing) return this.hasMore ? "stop" : "continue";
      this.add(path, line, "-", text);
      return "continue";
    }
    if (type === "match") {
      this.matches++;
      this.lastMatch = { path, line };
    }
    this.add(path, line, type === "match" ? ":" : "-", text);
    return "continue";
  }

  private add(path: string, line: number, mark: ":" | "-", given: string): void {
    // A carriage return that ends a file is a terminator too: ripgrep's output does not tell it from others.
    const { text, wasTruncated } = truncateLine(given.replace(/\r?\n?$/, ""));
    if (wasTruncated) this.linesTruncated = true;
    this.lines.push(`${path}${mark}${line}${mark} ${text}`);
  }
}
