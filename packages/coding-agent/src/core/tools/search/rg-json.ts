/**
 * From ripgrep's JSON lines to the lines that a model reads. Pure. Source: agent-and-tools.md B6.
 */
import { truncateLine } from "../truncate.js";

/** Text, or bytes that are not UTF-8 in base64. */
type RgData = { readonly text: string } | { readonly bytes: string };

/** The events of `rg --json` that matter here. */
export interface RgLine {
  readonly type: "match" | "context";
  readonly data: { readonly path: RgData; readonly lines: RgData; readonly line_number: number | null };
}

/** One JSON line; undefined for events that are no lines of a file. */
export function parseRgEvent(json: string): RgLine | undefined {
  if (json === "") return undefined;
  const event = JSON.parse(json) as { type: string };
  return event.type === "match" || event.type === "context" ? (event as RgLine) : undefined;
}

function decode(data: RgData): string {
  return "text" in data ? data.text : Buffer.from(data.bytes, "base64").toString("utf8");
}

/** Path of the file whose events follow; undefined when the line begins no file. */
export function parseRgBegin(json: string): string | undefined {
  if (!json.startsWith('{"type":"begin"')) return undefined;
  const { data } = JSON.parse(json) as { data: { path: RgData } };
  return decode(data.path);
}

export interface RgCollectorOptions {
  /** Matches shown. */
  readonly limit: number;
  /** Context lines round each match. */
  readonly context: number;
  /** Base name shown when one file is searched. */
  readonly fileName?: string | undefined;
}

/** Gathers result lines until the limit is known to be reached or not. */
export class RgCollector {
  readonly lines: string[] = [];
  /** A match beyond the limit exists. */
  hasMore = false;
  linesTruncated = false;
  private matches = 0;
  private lastMatch: { path: string; line: number } | undefined;

  constructor(private readonly options: RgCollectorOptions) {}

  /** Takes the next event; `stop` when no later one can change the result. */
  push({ type, data }: RgLine): "continue" | "stop" {
    const path = this.options.fileName ?? decode(data.path).replace(/^\.[/\\]/, "");
    const line = data.line_number ?? 0;
    if (this.matches >= this.options.limit) {
      if (type === "match") this.hasMore = true;
      const trailing = this.lastMatch?.path === path && line <= this.lastMatch.line + this.options.context;
      if (!trailing) return this.hasMore ? "stop" : "continue";
      this.add(path, line, "-", data.lines);
      return "continue";
    }
    if (type === "match") {
      this.matches++;
      this.lastMatch = { path, line };
    }
    this.add(path, line, type === "match" ? ":" : "-", data.lines);
    return "continue";
  }

  private add(path: string, line: number, mark: ":" | "-", data: RgData): void {
    const { text, wasTruncated } = truncateLine(decode(data).replace(/\r?\n$/, ""));
    if (wasTruncated) this.linesTruncated = true;
    this.lines.push(`${path}${mark}${line}${mark} ${text}`);
  }
}
