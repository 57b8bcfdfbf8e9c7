/** A line that is longer than its reader takes. */
export class LineTooLongError extends Error {
  override name = "LineTooLongError";
  readonly code = "line_too_long";

  constructor(readonly limit: number) {
    super(`A line is longer than ${limit} bytes.`);
  }
}

/**
 * Splits bytes into lines: one per LF, a CR before it does not belong to it, U+2028 and U+2029 are ordinary characters.
 * Takes time linear in the bytes, however they are cut into chunks.
 */
export class LineSplitter {
  #pieces: Buffer[] = [];
  #length = 0;

  /** @param limit bytes of the longest line; `push` throws LineTooLongError for more, as soon as that many are there */
  constructor(
    readonly onLine: (line: string) => void,
    readonly limit: number = Number.POSITIVE_INFINITY,
  ) {}

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const line = this.#take(chunk.subarray(start, end));
      start = end + 1;
      this.onLine(line);
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  /** What came after the last LF. */
  rest(): string {
    return this.#take(Buffer.alloc(0));
  }

  #take(last: Buffer): string {
    this.#keep(last);
    const bytes = this.#pieces.length === 1 ? (this.#pieces[0] as Buffer) : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#length = 0;
    const end = bytes.at(-1) === 13 ? bytes.length - 1 : bytes.length;
    return bytes.toString("utf8", 0, end);
  }

  #keep(bytes: Buffer): void {
    this.#length += bytes.length;
    if (this.#length > this.limit) throw new LineTooLongError(this.limit);
    this.#pieces.push(bytes);
  }
}
