import { type FileHandle, open, readFile } from "node:fs/promises";

/** Appends lines; each is acknowledged when it is on the disk, and those that come together share one wait for it. */
export class JournalFile {
  #file: FileHandle | undefined;
  #waiting: { line: string; done: () => void; failed: (error: unknown) => void }[] = [];
  #isWriting = false;

  constructor(readonly path: string) {}

  append(line: string): Promise<void> {
    return new Promise((done, failed) => {
      this.#waiting.push({ line, done, failed });
      if (!this.#isWriting) void this.#write();
    });
  }

  async close(): Promise<void> {
    while (this.#isWriting) await new Promise((resolve) => setImmediate(resolve));
    await this.#file?.close();
    this.#file = undefined;
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        this.#file ??= await open(this.path, "a", 0o600);
        await this.#file.appendFile(batch.map(({ line }) => `${line}\n`).join(""));
        await this.#file.datasync();
        for (const { done } of batch) done();
      } catch (error) {
        for (const { failed } of batch) failed(error);
      }
    }
    this.#isWriting = false;
  }
}

/** The whole records of a journal: what a crash has torn was not acknowledged. */
export async function readJournal(path: string): Promise<unknown[]> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
  const records: unknown[] = [];
  for (const line of text.split("\n")) {
    try {
      if (line !== "") records.push(JSON.parse(line));
    } catch {
      // Torn.
    }
  }
  return records;
}
