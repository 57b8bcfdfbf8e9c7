import { ENTRY_TYPES, type EntryType, type LineFacts, ROLES, type Role } from "./line-facts.js";

/** Parent of a root. */
export const NO_PARENT = -1;
/** Place of an entry that is not in a file. */
export const NOT_IN_FILE = -1;

const ONE_MESSAGE = 1;
const MOVED = 2;

/**
 * The tree of a session as numbers: entries are counted in the order of the file, and each has some thirty bytes here
 * beside its id. Always a forest: what does not fit is put right while it is added.
 */
export class EntryIndex {
  #count = 0;
  readonly #ids: string[] = [];
  readonly #byId = new Map<string, number>();
  #parents = new Int32Array(64);
  #offsets = new Float64Array(64);
  #lengths = new Uint32Array(64);
  #times = new Float64Array(64);
  #types = new Uint8Array(64);
  #roles = new Uint8Array(64);
  #flags = new Uint8Array(64);
  #soundMessages = new Uint16Array(64);
  /** Entries whose parent was not there when they came. */
  #waiting: { at: number; parentId: string }[] = [];
  readonly #labels: number[] = [];
  readonly #names: number[] = [];

  get count(): number {
    return this.#count;
  }

  /** Entries of type `label`, oldest first. */
  get labels(): readonly number[] {
    return this.#labels;
  }

  /** Entries of type `session_info`, oldest first. */
  get names(): readonly number[] {
    return this.#names;
  }

  /** @returns its number, or undefined when the id is taken: the first of two entries with one id is the one */
  add(facts: LineFacts, offset: number, length: number): number | undefined {
    if (this.#byId.has(facts.id)) return undefined;
    const at = this.#count++;
    if (at === this.#parents.length) this.#grow();
    this.#ids.push(facts.id);
    this.#byId.set(facts.id, at);
    this.#parents[at] = NO_PARENT;
    this.#offsets[at] = offset;
    this.#lengths[at] = length;
    this.#times[at] = facts.time;
    this.#types[at] = ENTRY_TYPES.indexOf(facts.type);
    this.#roles[at] = ROLES.indexOf(facts.role);
    this.#soundMessages[at] = facts.soundMessageAt;
    this.#flags[at] = facts.isOneMessage ? ONE_MESSAGE : 0;
    if (facts.type === "label") this.#labels.push(at);
    if (facts.type === "session_info") this.#names.push(at);
    if (facts.parentId !== null) {
      const parent = this.#byId.get(facts.parentId);
      if (parent === undefined) this.#waiting.push({ at, parentId: facts.parentId });
      else if (parent !== at) this.#parents[at] = parent;
      else this.#move(at, NO_PARENT);
    }
    return at;
  }

  /**
   * Gives a parent to the entries that wait for one: the one they name if it has come since, else the nearest entry
   * before them. Of the entries of a circle the first in the file becomes a root.
   */
  settle(): { orphans: string[]; circles: string[] } {
    const orphans: string[] = [];
    const circles: string[] = [];
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { at, parentId } of waiting) {
      const parent = this.#byId.get(parentId);
      if (parent !== undefined) this.#parents[at] = parent;
      else {
        this.#move(at, at - 1);
        orphans.push(this.#id(at));
      }
    }
    // Whoever names a later entry may close a circle; every circle has such an entry.
    for (const { at } of waiting) {
      if (!this.#isOwnAncestor(at)) continue;
      this.#move(at, NO_PARENT);
      circles.push(this.#id(at));
    }
    return { orphans, circles };
  }

  find(id: string): number | undefined {
    return this.#byId.get(id);
  }

  id(at: number): string {
    return this.#id(at);
  }

  /** NO_PARENT for a root. */
  parent(at: number): number {
    return this.#parents[at] ?? NO_PARENT;
  }

  parentId(at: number): string | null {
    const parent = this.parent(at);
    return parent === NO_PARENT ? null : this.#id(parent);
  }

  type(at: number): EntryType {
    return ENTRY_TYPES[this.#types[at] ?? 0] ?? "";
  }

  role(at: number): Role {
    return ROLES[this.#roles[at] ?? 0] ?? "";
  }

  /** Unix time in ms, 0 when unknown. */
  time(at: number): number {
    return this.#times[at] ?? 0;
  }

  /** NOT_IN_FILE while it is in memory only. */
  offset(at: number): number {
    return this.#offsets[at] ?? NOT_IN_FILE;
  }

  length(at: number): number {
    return this.#lengths[at] ?? 0;
  }

  place(at: number, offset: number): void {
    this.#offsets[at] = offset;
  }

  /** Certain to add exactly one message to a context when nothing edits it. */
  isOneMessage(at: number): boolean {
    return ((this.#flags[at] ?? 0) & ONE_MESSAGE) !== 0;
  }

  /** Where in its line a message begins that is certain to need no repair; 0 = somebody has to look. */
  soundMessageAt(at: number): number {
    return this.#soundMessages[at] ?? 0;
  }

  /** Its place in the tree is not the one that its line names. */
  isMoved(at: number): boolean {
    return ((this.#flags[at] ?? 0) & MOVED) !== 0;
  }

  /** From a root to the entry. */
  path(to: number): number[] {
    const path: number[] = [];
    for (let at = to; at !== NO_PARENT; at = this.parent(at)) path.push(at);
    return path.reverse();
  }

  #id(at: number): string {
    return this.#ids[at] as string;
  }

  #move(at: number, parent: number): void {
    this.#parents[at] = parent;
    this.#flags[at] = (this.#flags[at] ?? 0) | MOVED;
  }

  #isOwnAncestor(start: number): boolean {
    let steps = 0;
    for (let at = this.parent(start); at !== NO_PARENT; at = this.parent(at)) {
      // Longer than everything there is: it goes around without coming by.
      if (at === start) return true;
      if (steps++ > this.#count) return false;
    }
    return false;
  }

  #grow(): void {
    const size = this.#parents.length * 2;
    this.#parents = enlarged(this.#parents, new Int32Array(size));
    this.#offsets = enlarged(this.#offsets, new Float64Array(size));
    this.#lengths = enlarged(this.#lengths, new Uint32Array(size));
    this.#times = enlarged(this.#times, new Float64Array(size));
    this.#types = enlarged(this.#types, new Uint8Array(size));
    this.#roles = enlarged(this.#roles, new Uint8Array(size));
    this.#flags = enlarged(this.#flags, new Uint8Array(size));
    this.#soundMessages = enlarged(this.#soundMessages, new Uint16Array(size));
  }
}

function enlarged<Numbers extends Int32Array | Float64Array | Uint32Array | Uint16Array | Uint8Array>(
  from: Numbers,
  to: Numbers,
): Numbers {
  to.set(from);
  return to;
}
