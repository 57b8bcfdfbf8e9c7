/**
 * A text file as `read` shows it. Source: agent-and-tools.md B1 (table of texts), F19, F20.
 */
import { SNIFFED_BYTES } from "../../images/mime.js";
import { DEFAULT_MAX_BYTES, formatSize, type TruncationResult } from "../truncate.js";
import { LineWindow, type LineWindowResult } from "./line-window.js";

export interface TextRequest {
  /** As the caller wrote it. */
  readonly path: string;
  /** 1-based. */
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

export interface ShownText {
  readonly text: string;
  readonly truncation?: TruncationResult;
}

/** How a text is encoded, from its first bytes; `binary` when it is none. */
export function detectEncoding(head: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" | "binary" {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  return head.subarray(0, SNIFFED_BYTES).includes(0) ? "binary" : "utf-8";
}

/** Selects and cuts the lines of a text that arrives in chunks. */
export async function showText(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  encoding: "utf-8" | "utf-16le" | "utf-16be",
  request: TextRequest,
): Promise<ShownText> {
  // A UTF-8 byte order mark is content; that of UTF-16 only says how to decode.
  const decoder = new TextDecoder(encoding, { ignoreBOM: encoding === "utf-8" });
  const window = new LineWindow(selection(request));
  for await (const chunk of chunks) window.push(decoder.decode(chunk, { stream: true }));
  window.push(decoder.decode());
  return describe(window.finish(), request);
}

/** Lines asked for, 0-based. Offsets below 1 mean the start, limits below 1 mean one line. */
function selection({ offset, limit }: TextRequest): { start: number; count?: number } {
  const start = offset ? Math.floor(Math.max(0, offset - 1)) : 0;
  return limit === undefined ? { start } : { start, count: Math.max(1, Math.floor(limit)) };
}

function describe(found: LineWindowResult, request: TextRequest): ShownText {
  const { totalLines, truncation, selectedLines } = found;
  const { start } = selection(request);
  if (start >= totalLines) {
    throw new Error(`Offset ${request.offset} is beyond end of file (${totalLines} lines total)`);
  }
  const { content } = truncation;
  const first = start + 1;
  if (truncation.firstLineExceedsLimit) {
    const size = formatSize(found.firstLineBytes);
    const text = `[Line ${first} is ${size}, exceeds ${formatSize(DEFAULT_MAX_BYTES)} limit. Use bash: sed -n '${first}p' ${request.path} | head -c ${DEFAULT_MAX_BYTES}]`;
    return { text, truncation };
  }
  // The empty line behind a final newline is counted, but nobody needs to be told to fetch it.
  const realLines = totalLines - (found.endsWithNewline ? 1 : 0);
  if (truncation.truncated) {
    const last = start + truncation.outputLines;
    if (last >= realLines) return { text: content };
    const limit = truncation.truncatedBy === "bytes" ? ` (${formatSize(DEFAULT_MAX_BYTES)} limit)` : "";
    const notice = `[Showing lines ${first}-${last} of ${totalLines}${limit}. Use offset=${last + 1} to continue.]`;
    return { text: `${content}\n\n${notice}`, truncation };
  }
  const next = start + selectedLines;
  if (next >= realLines) return { text: content };
  return {
    text: `${content}\n\n[${totalLines - next} more lines in file. Use offset=${next + 1} to continue.]`,
  };
}
