/**
 * Ripgrep's JSON lines out of its chunks. Pure.
 *
 * A line holds the whole matched line and every match in it, so one minified file can make it any size, and only the
 * beginning is ever shown: what is longer than `MAX_LINE` is cut, in time linear to its length and in bounded memory.
 */

/** Bytes. A path of 4096 bytes and 500 UTF-16 units of text, all of them escaped, take less than half. */
const MAX_LINE = 64 * 1024;
const NEWLINE = 0x0a;
/** Comes after the text and before the matches; never inside JSON strings, where a quote follows a backslash. */
const MARK = ',"line_number":';
const MAX_DIGITS = 20;

/** Hands out whole lines, long ones as an event with the same path and number, the start of its text, no matches. */
export function rgLineReader(onLine: (json: string) => "continue" | "stop"): (chunk: Buffer) => "continue" | "stop" {
  let line = new PartialLine();
  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      line.push(chunk.subarray(start, end));
      start = end + 1;
      const json = line.finish();
      line = new PartialLine();
      if (onLine(json) === "stop") return "stop";
    }
    line.push(chunk.subarray(start));
    return "continue";
  };
}

class PartialLine {
  private readonly head: Buffer[] = [];
  private headBytes = 0;
  private isLong = false;
  /** From the mark on, once it is found; before that what may be its beginning. */
  private mark = Buffer.alloc(0);

  push(bytes: Buffer): void {
    if (bytes.length === 0) return;
    const kept = bytes.subarray(0, MAX_LINE - this.headBytes);
    if (kept.length > 0) this.head.push(kept);
    this.headBytes += kept.length;
    if (kept.length === bytes.length) return;
    if (!this.isLong) this.seek(Buffer.concat(this.head));
    this.isLong = true;
    this.seek(bytes.subarray(kept.length));
  }

  finish(): string {
    const json = Buffer.concat(this.head).toString();
    if (!this.isLong) return json;
    const number = /^,"line_number":(\d+)/.exec(this.mark.toString("latin1"))?.[1] ?? "null";
    const end = json.indexOf(MARK);
    if (end !== -1) return `${json.slice(0, end)}${MARK}${number}}}`;
    // The cut is inside the text, not in an escape, and not in the beginning of the mark.
    return `${withoutOpenEscape(json.slice(0, -2 * MARK.length))}"}${MARK}${number}}}`;
  }

  private seek(bytes: Buffer): void {
    if (this.mark.length >= MARK.length + MAX_DIGITS) return;
    const found = this.mark.indexOf(MARK) === 0;
    const seen = Buffer.concat([this.mark, found ? bytes.subarray(0, MAX_DIGITS) : bytes]);
    const at = seen.indexOf(MARK);
    const start = at === -1 ? Math.max(0, seen.length - MARK.length + 1) : at;
    // Copied, so that no chunk is held for it.
    this.mark = Buffer.from(seen.subarray(start, start + MARK.length + MAX_DIGITS));
  }
}

function withoutOpenEscape(json: string): string {
  const open = /(\\+)(?:u[\da-f]{0,3})?$/i.exec(json);
  const backslashes = open?.[1]?.length ?? 0;
  return open && backslashes % 2 === 1 ? json.slice(0, open.index + backslashes - 1) : json;
}
