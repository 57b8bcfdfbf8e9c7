import type { SessionEntry } from "./entries.js";
import type { EntryStore } from "./entry-store.js";

/** As `SessionTreeNode` has them. */
export interface NodeLabel {
  label: string;
  labelTimestamp: string;
}

export type LabelMap = ReadonlyMap<string, NodeLabel>;

/** The last label of each entry, whatever the branch. Reads a label entry once. */
export class Labels {
  #store: EntryStore | undefined;
  #read = 0;
  #labels = new Map<string, NodeLabel>();

  of(store: EntryStore): LabelMap {
    if (store !== this.#store) {
      this.#store = store;
      this.#read = 0;
      this.#labels = new Map();
    }
    const { labels } = store.index;
    for (; this.#read < labels.length; this.#read++) this.#take(store.entry(labels[this.#read] as number));
    return this.#labels;
  }

  #take(entry: SessionEntry): void {
    if (entry.type !== "label") return;
    const { targetId, label, timestamp } = entry;
    if (label) this.#labels.set(targetId, { label, labelTimestamp: timestamp });
    else this.#labels.delete(targetId);
  }
}
