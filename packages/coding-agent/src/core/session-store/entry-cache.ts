import type { SessionEntry } from "./entries.js";

/** Parsed entries, as many as come from this many bytes; the least recently used go first. */
const limitBytes = 16 << 20;

export class EntryCache {
  readonly #entries = new Map<number, { entry: SessionEntry; bytes: number }>();
  #bytes = 0;

  get(at: number): SessionEntry | undefined {
    const found = this.#entries.get(at);
    if (!found) return undefined;
    // Moved to the end: a Map keeps the order of insertion.
    this.#entries.delete(at);
    this.#entries.set(at, found);
    return found.entry;
  }

  /** @param bytes length of the line it comes from */
  set(at: number, entry: SessionEntry, bytes: number): void {
    this.delete(at);
    this.#entries.set(at, { entry, bytes });
    this.#bytes += bytes;
    for (const [oldest, { bytes: freed }] of this.#entries) {
      if (this.#bytes <= limitBytes || oldest === at) return;
      this.#entries.delete(oldest);
      this.#bytes -= freed;
    }
  }

  delete(at: number): void {
    this.#bytes -= this.#entries.get(at)?.bytes ?? 0;
    this.#entries.delete(at);
  }

  /** Everything that is still here, by number. */
  all(): ReadonlyMap<number, { entry: SessionEntry }> {
    return this.#entries;
  }
}
