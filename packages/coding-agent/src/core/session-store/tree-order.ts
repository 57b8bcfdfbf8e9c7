import { type EntryIndex, NO_PARENT } from "./entry-index.js";

/** No such entry. */
const NONE = -1;

/** Roots and children of a session, oldest first, as links between numbers. */
export class TreeOrder {
  readonly #firstChild: Int32Array;
  readonly #lastChild: Int32Array;
  readonly #next: Int32Array;
  #firstRoot = NONE;
  #lastRoot = NONE;
  readonly #index: EntryIndex;

  constructor(index: EntryIndex) {
    this.#index = index;
    const { count } = index;
    this.#firstChild = new Int32Array(count).fill(NONE);
    this.#lastChild = new Int32Array(count).fill(NONE);
    this.#next = new Int32Array(count).fill(NONE);
    for (const at of byTime(index)) this.#link(at, index.parent(at));
  }

  /**
   * Goes through the tree without recursion: chains are thousands of entries deep.
   * @param enter called before the children of an entry, `leave` behind them
   */
  *walk<Step>(
    enter: (at: number, isFirst: boolean) => Step | undefined,
    leave: (at: number) => void,
  ): Generator<Step, void> {
    let at = this.#firstRoot;
    let isFirst = true;
    while (at !== NONE) {
      const step = enter(at, isFirst);
      if (step !== undefined) yield step;
      isFirst = true;
      const child = this.#firstChild[at] ?? NONE;
      if (child !== NONE) {
        at = child;
        continue;
      }
      leave(at);
      while (at !== NONE && (this.#next[at] ?? NONE) === NONE) {
        at = this.#index.parent(at);
        if (at !== NO_PARENT) leave(at);
      }
      if (at !== NONE) at = this.#next[at] ?? NONE;
      isFirst = false;
    }
  }

  children(at: number): number[] {
    return this.#chain(this.#firstChild[at] ?? NONE);
  }

  roots(): number[] {
    return this.#chain(this.#firstRoot);
  }

  #chain(first: number): number[] {
    const items: number[] = [];
    for (let at = first; at !== NONE; at = this.#next[at] ?? NONE) items.push(at);
    return items;
  }

  #link(at: number, parent: number): void {
    const last = parent === NO_PARENT ? this.#lastRoot : (this.#lastChild[parent] ?? NONE);
    if (last !== NONE) this.#next[last] = at;
    else if (parent === NO_PARENT) this.#firstRoot = at;
    else this.#firstChild[parent] = at;
    if (parent === NO_PARENT) this.#lastRoot = at;
    else this.#lastChild[parent] = at;
  }
}

/** Ties keep the order of the file. */
function byTime(index: EntryIndex): Uint32Array | number[] {
  const order = Uint32Array.from({ length: index.count }, (_, at) => at);
  for (let at = 1; at < index.count; at++) {
    if (index.time(at) < index.time(at - 1)) return order.sort((a, b) => index.time(a) - index.time(b) || a - b);
  }
  return order;
}
