import { open } from "node:fs/promises";
import { LineSplitter } from "../lines.js";

/** The whole lines of a file from this byte on, as they are there now; none when there is no such file. */
export async function readLines(path: string, offset: number, onLine: (line: string) => void): Promise<void> {
  const lines = new LineSplitter(onLine);
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  try {
    const buffer = Buffer.allocUnsafe(256 * 1024);
    for (let at = offset; ; ) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
      if (bytesRead === 0) break;
      lines.push(Buffer.from(buffer.subarray(0, bytesRead)));
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
}
