/**
 * The places of some bytes in a chunk, in one pass over it however often one asks. Marks shorter than eight bytes are
 * looked for with memchr: their first byte should be a rare one.
 */
export class MarkFinder {
  readonly #mark: Buffer;
  #from = 0;
  #next = -1;

  constructor(mark: Buffer) {
    this.#mark = mark;
  }

  /** The chunk is another one. */
  forget(): void {
    this.#next = -1;
  }

  /** The first place from `at` on; Infinity when there is none. `at` grows from call to call. */
  next(bytes: Buffer, at: number): number {
    if (this.#next < at || at < this.#from) {
      const found = bytes.indexOf(this.#mark, at);
      this.#next = found < 0 ? Number.POSITIVE_INFINITY : found;
    }
    this.#from = at;
    return this.#next;
  }
}
