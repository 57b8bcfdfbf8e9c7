/** What is still there of entries whose file was cut or written over while it was open. */
import type { EntryStore } from "./entry-store.js";
import { parseLine } from "./parse.js";
import { type StoredEntry, storedEntry } from "./stored-entry.js";

/** Entries that end behind this place of the file, or are in none, and need not be read. */
export function inMemoryBehind(store: EntryStore, from: number): StoredEntry[] {
  const { index } = store;
  const cut = [...store.parsedEntries().keys()].filter((at) => index.offset(at) + index.length(at) > from);
  return [...new Set([...cut, ...store.held()])].sort((a, b) => a - b).map((at) => storedAt(store, at));
}

/** As it is stored, read if need be. */
export function storedAt(store: EntryStore, at: number): StoredEntry {
  return storedEntry(store.entry(at)) as StoredEntry;
}

/** Lines of the entries that are in memory, or whole at their place in a file that was written over. */
export function wholeLines(store: EntryStore): Buffer[] {
  const parsed = store.parsedEntries();
  const held = new Set(store.held());
  return Array.from({ length: store.index.count }, (_, at) => at).flatMap((at) => {
    const entry = parsed.get(at)?.entry;
    if (entry && !held.has(at)) return storedEntry(entry)?.line ?? [];
    return lineIfWhole(store, at) ?? [];
  });
}

/** Undefined when something else is in its place by now. */
function lineIfWhole(store: EntryStore, at: number): Buffer | undefined {
  try {
    const line = store.line(at);
    const entry = parseLine(line.toString("utf8"));
    return entry?.id === store.index.id(at) ? line : undefined;
  } catch {
    // The file is shorter than that.
    return undefined;
  }
}
