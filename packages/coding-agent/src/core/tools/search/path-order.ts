/** The order of search results: part by part, so that a directory stands right before its content; by bytes. Pure. */

/** A text that sorts as the path does. */
export function pathKey(path: string): string {
  const isAscii = !/[^\0-\x7f]/.test(path);
  return (isAscii ? path : Buffer.from(path).toString("latin1")).replaceAll("/", "\0");
}

/** @returns the same entries in the order of their paths */
export function sortByPath<T extends { readonly path: string }>(entries: readonly T[]): T[] {
  return entries
    .map((entry) => ({ entry, key: pathKey(entry.path) }))
    .sort((a, b) => compareKeys(a.key, b.key))
    .map(({ entry }) => entry);
}

export function compareKeys(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
