/** Who may have a process: a bounded number at a time, the others in the order they asked. */
export class Places {
  readonly #holders = new Set<string>();
  #queue: string[] = [];

  constructor(readonly size: number) {}

  /** True: it has a place. False: it waits for one. */
  ask(id: string): boolean {
    if (this.#holders.has(id)) return true;
    if (this.#holders.size < this.size && this.#queue.length === 0) {
      this.#holders.add(id);
      return true;
    }
    if (!this.#queue.includes(id)) this.#queue.push(id);
    return false;
  }

  /** Has one already, whatever the number. */
  keep(id: string): void {
    this.#holders.add(id);
  }

  /** Gives a place back, or a wait up. Returns who has one now. */
  leave(id: string): string[] {
    this.#holders.delete(id);
    this.#queue = this.#queue.filter((other) => other !== id);
    const next: string[] = [];
    while (this.#holders.size < this.size) {
      const first = this.#queue.shift();
      if (first === undefined) break;
      this.#holders.add(first);
      next.push(first);
    }
    return next;
  }

  get waiting(): number {
    return this.#queue.length;
  }
}
