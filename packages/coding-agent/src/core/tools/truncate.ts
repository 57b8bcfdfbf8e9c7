/**
 * Cutting text to what a model is shown: whole lines, from the start or from the end, within two limits.
 * Source: agent-and-tools.md section C.
 */

/** Lines a tool result holds at most. */
export const DEFAULT_MAX_LINES = 2000;
/** UTF-8 bytes a tool result holds at most. */
export const DEFAULT_MAX_BYTES = 50 * 1024;
/** UTF-16 units of one line of a search result. */
export const MAX_SEARCH_LINE_LENGTH = 500;

export interface TruncationOptions {
  /** Default 2000. */
  maxLines?: number;
  /** UTF-8 bytes; default 51200. */
  maxBytes?: number;
}

/** What was kept, and of how much. Bytes are UTF-8; a trailing newline adds no line. */
export interface TruncationResult {
  content: string;
  truncated: boolean;
  truncatedBy: "lines" | "bytes" | null;
  totalLines: number;
  totalBytes: number;
  outputLines: number;
  outputBytes: number;
  /** Only the end of the last line was kept (`truncateTail`). */
  lastLinePartial: boolean;
  /** The first line alone is too big, so nothing was kept (`truncateHead`). */
  firstLineExceedsLimit: boolean;
  maxLines: number;
  maxBytes: number;
}

/** `500B`, `50.0KB`, `3.0MB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes}B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)}KB`;
  return `${(bytes / (1024 * 1024)).toFixed(1)}MB`;
}

/** Lines of a text: none for the empty text, and none for what follows a final newline. */
export function splitLines(text: string): string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Keeps whole lines from the start. */
export function truncateHead(text: string, options: TruncationOptions = {}): TruncationResult {
  const { whole, lines } = measure(text, options);
  if (!whole.truncated) return whole;
  const { maxLines, maxBytes } = whole;
  let bytes = 0;
  let count = 0;
  let truncatedBy: "lines" | "bytes" = "bytes";
  for (const line of lines) {
    if (count >= maxLines) {
      truncatedBy = "lines";
      break;
    }
    const size = Buffer.byteLength(line) + (count > 0 ? 1 : 0);
    if (bytes + size > maxBytes) break;
    bytes += size;
    count++;
  }
  return {
    ...whole,
    content: lines.slice(0, count).join("\n"),
    truncatedBy,
    outputLines: count,
    outputBytes: bytes,
    firstLineExceedsLimit: count === 0 && truncatedBy === "bytes",
  };
}

/**
 * Keeps whole lines from the end; of a last line that is too big, its end.
 *
 * @param totals of a longer text of which `text` is the end, beginning with a whole line or inside its only one
 */
export function truncateTail(
  text: string,
  options: TruncationOptions = {},
  totals?: { readonly totalLines: number; readonly totalBytes: number },
): TruncationResult {
  const { whole, lines } = measure(text, options, totals);
  if (!whole.truncated) return whole;
  const { maxLines, maxBytes } = whole;
  let bytes = 0;
  let count = 0;
  while (count < Math.min(maxLines, lines.length)) {
    const size = Buffer.byteLength(lines[lines.length - 1 - count] ?? "") + (count > 0 ? 1 : 0);
    if (bytes + size > maxBytes) break;
    bytes += size;
    count++;
  }
  const last = lines.at(-1);
  if (count === 0 && last !== undefined && maxLines > 0) {
    const content = endWithin(last, maxBytes);
    return {
      ...whole,
      content,
      truncatedBy: "bytes",
      outputLines: content === "" ? 0 : 1,
      outputBytes: Buffer.byteLength(content),
      lastLinePartial: true,
    };
  }
  return {
    ...whole,
    content: lines.slice(lines.length - count).join("\n"),
    truncatedBy: count >= maxLines && count < whole.totalLines ? "lines" : "bytes",
    outputLines: count,
    outputBytes: bytes,
  };
}

/** Cuts one line after `maxChars` UTF-16 units, never inside a character, and says so. */
export function truncateLine(line: string, maxChars = MAX_SEARCH_LINE_LENGTH): { text: string; wasTruncated: boolean } {
  if (line.length <= maxChars) return { text: line, wasTruncated: false };
  const cut = isHighSurrogate(line.charCodeAt(maxChars - 1)) ? maxChars - 1 : maxChars;
  return { text: `${line.slice(0, cut)}... [truncated]`, wasTruncated: true };
}

/** The longest end of `text` within `maxBytes` of UTF-8 that starts at a character. */
function endWithin(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  let start = Math.max(0, bytes.length - maxBytes);
  while (start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return bytes.toString("utf8", start);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function measure(
  text: string,
  options: TruncationOptions,
  totals?: { readonly totalLines: number; readonly totalBytes: number },
): { whole: TruncationResult; lines: string[] } {
  const maxLines = options.maxLines ?? DEFAULT_MAX_LINES;
  const maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
  const lines = splitLines(text);
  const totalBytes = totals?.totalBytes ?? Buffer.byteLength(text);
  const totalLines = totals?.totalLines ?? lines.length;
  const whole: TruncationResult = {
    content: text,
    truncated: totalLines > maxLines || totalBytes > maxBytes,
    truncatedBy: null,
    totalLines,
    totalBytes,
    outputLines: lines.length,
    outputBytes: totalBytes,
    lastLinePartial: false,
    firstLineExceedsLimit: false,
    maxLines,
    maxBytes,
  };
  return { whole, lines };
}
