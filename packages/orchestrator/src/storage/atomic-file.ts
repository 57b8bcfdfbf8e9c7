import { open, rename, rm } from "node:fs/promises";

/** Replaces a file in one step, readable by its owner only: after a crash there is the old content or the new one. */
export async function replaceFile(path: string, content: string): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  const file = await open(temporary, "w", 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } catch (error) {
    await file.close();
    await rm(temporary, { force: true });
    throw error;
  }
  await file.close();
  await rename(temporary, path);
}

/**
 * One writer for states of which only the newest counts: whoever asks while it writes shares the next write.
 */
export class LatestWriter {
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  /** @param write puts down the state of the moment */
  constructor(readonly write: () => Promise<void>) {}

  /** Resolves when a state that is at least as new as that of this call is on the disk. */
  save(): Promise<void> {
    if (!this.#running) return this.#run();
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        return this.#run();
      });
    return this.#next;
  }

  #run(): Promise<void> {
    const running = this.write().finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    this.#running = running;
    return running;
  }
}
