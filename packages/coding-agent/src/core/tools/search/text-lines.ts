/** Lines of files as a search sees them: binary files are left out, texts of other encodings with a mark are read. */
import { constants } from "node:fs";
import { TextDecoder } from "node:util";
import { openRegularFile } from "../regular-file.js";

const CHUNK = 64 * 1024;
/** A line longer than this is no text to search. */
const MAX_LINE = 64 * 1024 * 1024;

/**
 * Lines with their terminators, a batch at a time. A file that holds a NUL ends before the part that holds it, unless
 * binary data is wanted too.
 *
 * @throws NotRegularFileError; Node's error for a file that cannot be read
 */
export async function* readLines(path: string, options: { binary: boolean }): AsyncGenerator<string[]> {
  const handle = await openRegularFile(path, constants.O_RDONLY);
  try {
    // Of the line that has not ended: pieces, since joining them at every chunk takes quadratic time.
    let rest: string[] = [];
    let restLength = 0;
    let encoding: Encoding = "utf-8";
    let decoder = new TextDecoder(encoding);
    for (let isFirst = true; ; isFirst = false) {
      const buffer = Buffer.allocUnsafe(CHUNK);
      const { bytesRead } = await handle.read(buffer, 0, CHUNK);
      const chunk = buffer.subarray(0, bytesRead);
      if (isFirst) {
        encoding = encodingOf(chunk);
        decoder = new TextDecoder(encoding);
      }
      if (encoding === "utf-8" && !options.binary && chunk.includes(0)) return;
      const text = decoder.decode(chunk, { stream: bytesRead > 0 });
      const end = bytesRead > 0 ? text.lastIndexOf("\n") + 1 : text.length;
      if (end > 0 || bytesRead === 0) {
        yield split([...rest, text.slice(0, end)].join(""));
        rest = [];
        restLength = 0;
      }
      rest.push(text.slice(end));
      restLength += text.length - end;
      if (bytesRead === 0 || restLength > MAX_LINE) return;
    }
  } finally {
    await handle.close();
  }
}

type Encoding = "utf-8" | "utf-16le" | "utf-16be";

/** By the byte order mark, which the decoder leaves out. */
function encodingOf(start: Buffer): Encoding {
  if (start[0] === 0xff && start[1] === 0xfe) return "utf-16le";
  return start[0] === 0xfe && start[1] === 0xff ? "utf-16be" : "utf-8";
}

function split(text: string): string[] {
  const lines = text.split(/(?<=\n)/);
  return text === "" ? [] : lines;
}
