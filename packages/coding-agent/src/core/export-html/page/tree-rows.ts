import { searchText } from "./entry-text.js";
import type { Entry, Session } from "./session.js";
import { passes, type TreeFilter } from "./tree-filter.js";

/** A line of the tree. */
export interface TreeRow {
  at: number;
  /** Grows where the conversation parts, not with its length. */
  depth: number;
}

/** Which entries the tree shows, and where. Rows are in the order of a walk from the roots. */
export class TreeRows {
  readonly #session: Session;
  readonly #searchTexts = new Map<number, string>();

  constructor(session: Session) {
    this.#session = session;
  }

  /** @param words all of them must be in an entry, in whatever case; the leaf shows when there are none */
  rows(filter: TreeFilter, words: readonly string[], leaf: number): TreeRow[] {
    const wanted = words.map((word) => word.toLowerCase());
    const isShown = (entry: Entry) => {
      if (wanted.length === 0 && entry.at === leaf) return true;
      const label = this.#session.labels.get(entry.id);
      return passes(filter, entry, label !== undefined) && this.#hasWords(entry, label, wanted);
    };
    return placed(this.#session, isShown);
  }

  #hasWords(entry: Entry, label: string | undefined, words: readonly string[]): boolean {
    if (words.length === 0) return true;
    let searched = this.#searchTexts.get(entry.at);
    if (searched === undefined) {
      searched = searchText(entry, label);
      this.#searchTexts.set(entry.at, searched);
    }
    return words.every((word) => searched.includes(word));
  }
}

/** Shown entries hang below the nearest shown ancestor. No recursion: chains are thousands long. */
function placed(session: Session, isShown: (entry: Entry) => boolean): TreeRow[] {
  const shownChildren = new Map<number, number[]>([[-1, []]]);
  for (const { at, above } of walk(session, (entry, above) => (isShown(entry) ? entry.at : above))) {
    shownChildren.get(above)?.push(at);
    shownChildren.set(at, []);
  }
  const rows: TreeRow[] = [];
  const waiting = [{ at: -1, depth: -1 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.at >= 0) rows.push(next);
    const below = shownChildren.get(next.at) ?? [];
    const depth = next.depth + (below.length > 1 || next.at < 0 ? 1 : 0);
    for (const at of below.toReversed()) waiting.push({ at, depth });
  }
  return rows;
}

/** Shown entries from the roots on, each with the shown one above it. Circles without a root begin where the file does. */
function* walk(
  { entries, children }: Session,
  shownOf: (entry: Entry, above: number) => number,
): Generator<{ at: number; above: number }> {
  const seen = new Set<number>();
  const starts = [...(children.get(-1) ?? []), ...entries.keys()];
  for (const start of starts) {
    const waiting = [{ at: start, above: -1 }];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const entry = entries[next.at];
      if (!entry || seen.has(next.at)) continue;
      seen.add(next.at);
      const shown = shownOf(entry, next.above);
      if (shown === next.at) yield next;
      for (const at of (children.get(next.at) ?? []).toReversed()) waiting.push({ at, above: shown });
    }
  }
}
