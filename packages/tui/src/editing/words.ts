let words: Intl.Segmenter | undefined;

interface Segment {
  readonly start: number;
  readonly end: number;
  readonly kind: "space" | "word" | "mark";
}

/** Stretches that belong together whatever is in them: paste markers. */
export type AtomicRanges = readonly { readonly start: number; readonly end: number }[];

function segments(text: string, atomic: AtomicRanges): Segment[] {
  words ??= new Intl.Segmenter(undefined, { granularity: "word" });
  const segmenter = words;
  const list: Segment[] = [];
  const add = (from: number, to: number) => {
    for (const { segment, index, isWordLike } of segmenter.segment(text.slice(from, to))) {
      const kind = /^\s+$/u.test(segment) ? "space" : isWordLike ? "word" : "mark";
      list.push({ start: from + index, end: from + index + segment.length, kind });
    }
  };
  let at = 0;
  for (const { start, end } of atomic) {
    add(at, start);
    list.push({ start, end, kind: "word" });
    at = end;
  }
  add(at, text.length);
  return list;
}

/** Where the word before a position starts: spaces are skipped, then a word or a run of punctuation. */
export function wordStartBefore(text: string, position: number, atomic: AtomicRanges = []): number {
  const before = segments(
    text.slice(0, position),
    atomic.filter(({ end }) => end <= position),
  );
  let at = before.length - 1;
  while (at >= 0 && before[at]?.kind === "space") at--;
  const kind = before[at]?.kind;
  while (kind === "mark" && at > 0 && before[at - 1]?.kind === "mark") at--;
  return before[at]?.start ?? 0;
}

/** Where the word after a position ends. */
export function wordEndAfter(text: string, position: number, atomic: AtomicRanges = []): number {
  const shifted = atomic.filter(({ start }) => start >= position);
  const after = segments(
    text.slice(position),
    shifted.map(({ start, end }) => ({ start: start - position, end: end - position })),
  );
  let at = 0;
  while (after[at]?.kind === "space") at++;
  const kind = after[at]?.kind;
  while (kind === "mark" && after[at + 1]?.kind === "mark") at++;
  const found = after[at];
  return found ? position + found.end : text.length;
}
