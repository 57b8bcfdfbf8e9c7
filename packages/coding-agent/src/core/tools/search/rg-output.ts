/**
 * Found lines out of the chunks that ripgrep writes. Pure.
 *
 * Not its JSON: that holds every match in a line, so a common pattern makes hundreds of bytes of each byte of a minified
 * file. As text a line stands once, and only its beginning is kept, in bounded memory.
 */
import type { FoundLine } from "./line-collector.js";

/** Makes ripgrep write `<path> NUL <number> : <line>`, with `-` for lines of context. */
export const RG_OUTPUT_OPTIONS: readonly string[] = [
  "--null",
  "--no-heading",
  "--with-filename",
  "--line-number",
  "--color=never",
  "--no-context-separator",
];

const NUL = 0;
const NEWLINE = 0x0a;
const COLON = 0x3a;
const HYPHEN = 0x2d;
/** Bytes. A UTF-16 unit takes at most 3, and at most 500 units are shown. */
const MAX_TEXT = 2048;

/** Hands out lines whole, long ones as their first `MAX_TEXT` bytes. */
export function rgOutputReader(
  onLine: (line: FoundLine) => "continue" | "stop",
): (chunk: Buffer) => "continue" | "stop" {
  const reader = new Reader();
  return (chunk) => {
    for (let at = 0; at < chunk.length; ) {
      at = reader.take(chunk, at);
      const line = reader.finished();
      if (line && onLine(line) === "stop") return "stop";
    }
    return "continue";
  };
}

type Part = "path" | "number" | "text";

class Reader {
  private part: Part = "path";
  /** Of the part that is being read. */
  private pieces: Buffer[] = [];
  private length = 0;
  private path = "";
  private number = 0;
  private type: FoundLine["type"] = "match";
  private line: FoundLine | undefined;

  /** Reads from an offset to the end of a part or of the chunk; returns where it stopped. */
  take(chunk: Buffer, at: number): number {
    const end = this.endOfPart(chunk, at);
    if (end === -1) {
      this.keep(chunk.subarray(at));
      return chunk.length;
    }
    this.keep(chunk.subarray(at, end));
    const bytes = this.pieces.length === 1 ? (this.pieces[0] ?? Buffer.alloc(0)) : Buffer.concat(this.pieces);
    this.pieces = [];
    this.length = 0;
    switch (this.part) {
      case "path":
        this.path = withoutWarning(bytes.toString(), this.path);
        this.part = "number";
        break;
      case "number":
        this.number = Number(bytes.toString("latin1"));
        this.type = chunk[end] === HYPHEN ? "context" : "match";
        this.part = "text";
        break;
      case "text":
        this.line = { type: this.type, path: this.path, line: this.number, text: bytes.toString() };
        this.part = "path";
        break;
    }
    return end + 1;
  }

  /** The line that ended with what was taken last. */
  finished(): FoundLine | undefined {
    const { line } = this;
    this.line = undefined;
    return line;
  }

  private endOfPart(chunk: Buffer, at: number): number {
    if (this.part === "path") return chunk.indexOf(NUL, at);
    if (this.part === "text") return chunk.indexOf(NEWLINE, at);
    for (let end = at; end < chunk.length; end++) if (chunk[end] === COLON || chunk[end] === HYPHEN) return end;
    return -1;
  }

  private keep(bytes: Buffer): void {
    const kept = this.part === "text" ? bytes.subarray(0, Math.max(0, MAX_TEXT - this.length)) : bytes;
    if (kept.length === 0) return;
    this.pieces.push(kept);
    this.length += kept.length;
  }
}

/** After the matches of a file that turns out to be binary, ripgrep says so before the next path. */
function withoutWarning(path: string, previous: string): string {
  if (!path.startsWith(`${previous}: WARNING: stopped searching binary file`)) return path;
  return path.slice(path.indexOf("\n", previous.length) + 1);
}
