import { open, readFile } from "node:fs/promises";

/** Bytes at the end of a log that are looked through. */
const logTail = 512 * 1024;

/** The last lines of a bounded log; none when there is no such file. */
export async function lastLines(path: string, count: number): Promise<string[]> {
  let text: string;
  try {
    const file = await open(path, "r");
    try {
      const { size } = await file.stat();
      const { buffer, bytesRead } = await file.read(
        Buffer.alloc(Math.min(size, logTail)),
        0,
        undefined,
        Math.max(0, size - logTail),
      );
      text = buffer.toString("utf8", 0, bytesRead);
    } finally {
      await file.close();
    }
    if (text.split("\n").length <= count) text = (await readFile(`${path}.1`, "utf8").catch(() => "")) + text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
  return text
    .trimEnd()
    .split("\n")
    .slice(-count)
    .filter((line) => line !== "");
}
