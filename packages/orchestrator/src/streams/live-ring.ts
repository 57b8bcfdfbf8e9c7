export interface NumberedLine {
  readonly seq: number;
  readonly line: string;
}

/** The newest lines of one process, numbered from 1, as many as fit. */
export class LiveRing {
  #lines: NumberedLine[] = [];
  #first = 0;
  #size = 0;
  #lastSeq = 0;

  /** @param limit characters; the newest line is kept even when it alone is longer */
  constructor(readonly limit: number) {}

  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** The oldest that is kept; one after the last when none is. */
  get firstSeq(): number {
    return this.#lines[this.#first]?.seq ?? this.#lastSeq + 1;
  }

  add(line: string, seq: number = this.#lastSeq + 1): NumberedLine {
    const numbered = { seq, line };
    this.#lastSeq = seq;
    this.#lines.push(numbered);
    this.#size += line.length;
    while (this.#size > this.limit && this.#first < this.#lines.length - 1) {
      this.#size -= this.#lines[this.#first]?.line.length ?? 0;
      this.#first++;
    }
    // Now and then, so that it costs nothing per line.
    if (this.#first > 1000 && this.#first > this.#lines.length / 2) {
      this.#lines = this.#lines.slice(this.#first);
      this.#first = 0;
    }
    return numbered;
  }

  /** Those after `seq`, as far as they are kept. */
  after(seq: number): NumberedLine[] {
    const skipped = Math.max(0, seq + 1 - this.firstSeq);
    return this.#lines.slice(this.#first + skipped);
  }

  clear(): void {
    this.#lines = [];
    this.#first = 0;
    this.#size = 0;
    this.#lastSeq = 0;
  }
}
