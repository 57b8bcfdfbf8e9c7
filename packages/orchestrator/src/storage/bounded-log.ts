import { appendFileSync, renameSync, statSync } from "node:fs";

/** A log of bounded size: what is over goes to `<path>.1`, which replaces the one before. */
export class BoundedLog {
  #size: number;

  /** @param limit bytes of each of the two files */
  constructor(
    readonly path: string,
    readonly limit: number = 1024 * 1024,
  ) {
    this.#size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** What cannot be written is dropped: a full disk must not stop the work. */
  write(text: string | Uint8Array): void {
    try {
      if (this.#size > this.limit) {
        renameSync(this.path, `${this.path}.1`);
        this.#size = 0;
      }
      appendFileSync(this.path, text, { mode: 0o600 });
      this.#size += text.length;
    } catch {
      // Nobody is there to be told.
    }
  }
}
