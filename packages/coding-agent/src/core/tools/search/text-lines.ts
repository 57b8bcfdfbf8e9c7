/** Lines of files as a search sees them: binary files are left out, texts of other encodings with a mark are read. */
import { constants } from "node:fs";
import { TextDecoder } from "node:util";
import { openRegularFile } from "../regular-file.js";

const CHUNK = 64 * 1024;
/** A line longer than this is no text to search. */
const MAX_LINE = 64 * 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * Lines with their terminators, a batch at a time. A file that holds a NUL ends before the part that holds it, unless
 * binary data is wanted too.
 *
 * @throws NotRegularFileError; Node's error for a file that cannot be read
 */
export async function* readLines(path: string, options: { binary: boolean }): AsyncGenerator<string[]> {
  const handle = await openRegularFile(path, constants.O_RDONLY);
  try {
    let rest: Buffer = Buffer.alloc(0);
    let decoder: TextDecoder | undefined;
    let text = "";
    for (let isFirst = true; ; isFirst = false) {
      const buffer = Buffer.allocUnsafe(CHUNK);
      const { bytesRead } = await handle.read(buffer, 0, CHUNK);
      let chunk = buffer.subarray(0, bytesRead);
      if (isFirst) {
        const encoding = markedEncoding(chunk);
        if (encoding === "utf-8") chunk = chunk.subarray(3);
        else if (encoding) decoder = new TextDecoder(encoding);
      }
      if (decoder) {
        text += decoder.decode(chunk, { stream: bytesRead > 0 });
        const end = bytesRead > 0 ? text.lastIndexOf("\n") + 1 : text.length;
        if (end > 0) yield split(text.slice(0, end));
        text = text.slice(end);
      } else {
        if (!options.binary && chunk.includes(0)) return;
        const end = bytesRead > 0 ? chunk.lastIndexOf(NEWLINE) + 1 : 0;
        if (end > 0) {
          yield split(Buffer.concat([rest, chunk.subarray(0, end)]).toString());
          rest = chunk.subarray(end);
        } else if (bytesRead > 0) rest = Buffer.concat([rest, chunk]);
        else if (rest.length > 0) yield split(rest.toString());
      }
      if (bytesRead === 0 || rest.length > MAX_LINE || text.length > MAX_LINE) return;
    }
  } finally {
    await handle.close();
  }
}

function markedEncoding(start: Buffer): "utf-8" | "utf-16le" | "utf-16be" | undefined {
  if (start[0] === 0xff && start[1] === 0xfe) return "utf-16le";
  if (start[0] === 0xfe && start[1] === 0xff) return "utf-16be";
  return start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf ? "utf-8" : undefined;
}

function split(text: string): string[] {
  const lines = text.split(/(?<=\n)/);
  return text === "" ? [] : lines;
}
