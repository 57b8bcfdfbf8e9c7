import { withMembers } from "./edit-line.js";
import { NOT_IN_FILE } from "./entry-index.js";
import type { EntryStore } from "./entry-store.js";

const windowSize = 1 << 20;

/** Lines one after another with few reads: what follows in the file is mostly what is asked for next. */
export class LineWindow {
  readonly #store: EntryStore;
  #bytes = Buffer.alloc(0);
  #offset = 0;
  #filled = 0;

  constructor(store: EntryStore) {
    this.#store = store;
  }

  /** The line as stored. Valid until the next call. */
  line(at: number): Buffer {
    const { index, log } = this.#store;
    const offset = index.offset(at);
    const length = index.length(at);
    if (offset === NOT_IN_FILE || !log || length > windowSize) return this.#store.line(at);
    if (offset < this.#offset || offset + length > this.#offset + this.#filled) {
      if (this.#bytes.length === 0) this.#bytes = Buffer.allocUnsafeSlow(windowSize);
      this.#offset = offset;
      this.#filled = log.readInto(this.#bytes, offset);
      if (this.#filled < length) return this.#store.line(at);
    }
    const start = offset - this.#offset;
    return this.#bytes.subarray(start, start + length);
  }

  /** The entry as JSON: its line, unless its place in the tree is another one than the line says. */
  json(at: number): Buffer {
    const line = this.line(at);
    if (!this.#store.isRewritten(at)) return line;
    const entry = this.#store.parsed(at, line);
    if (this.#store.isDamaged(at)) return Buffer.from(JSON.stringify(entry));
    return withMembers(line, { parentId: this.#store.index.parentId(at) });
  }
}
