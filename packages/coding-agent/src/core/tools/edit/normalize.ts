/**
 * The spelling in which fuzzy matching compares texts, with the way back to the original offsets.
 * Source: agent-and-tools.md B3 (normalisation).
 */

/** Normalised text; unit `i` came from `[starts[i], ends[i])` of the original. */
export interface MappedText {
  readonly text: string;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/**
 * NFKC, no trailing whitespace on any line, ASCII quotes, hyphens and spaces. Leading whitespace, tabs and case stay.
 */
export function normalizeForFuzzyMatch(text: string): string {
  const lines = text
    .normalize("NFKC")
    .split("\n")
    .map((line) => line.trimEnd());
  return replaceLookalikes(lines.join("\n"));
}

/** As `normalizeForFuzzyMatch`, remembering where every unit came from. */
export function normalizeWithOffsets(original: string): MappedText {
  const composed = composeWithOffsets(original);
  const kept = keptUnits(composed.text);
  const text = replaceLookalikes(kept.map(([from, to]) => composed.text.slice(from, to)).join(""));
  const starts = new Uint32Array(text.length);
  const ends = new Uint32Array(text.length);
  let at = 0;
  for (const [from, to] of kept) {
    starts.set(composed.starts.subarray(from, to), at);
    ends.set(composed.ends.subarray(from, to), at);
    at += to - from;
  }
  return { text, starts, ends };
}

/** One unit for one unit, so offsets survive. */
function replaceLookalikes(text: string): string {
  return text
    .replace(/[\u2018\u2019\u201A\u201B]/g, "'")
    .replace(/[\u201C-\u201F]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/[\u00A0\u2002-\u200A\u202F\u205F\u3000]/g, " ");
}

/** Ranges that remain when every line loses its trailing whitespace. */
function keptUnits(text: string): [number, number][] {
  const ranges: [number, number][] = [];
  let lineStart = 0;
  for (;;) {
    const newline = text.indexOf("\n", lineStart);
    const lineEnd = newline === -1 ? text.length : newline;
    ranges.push([lineStart, lineStart + text.slice(lineStart, lineEnd).trimEnd().length]);
    if (newline === -1) return ranges;
    ranges.push([newline, newline + 1]);
    lineStart = newline + 1;
  }
}

/** A non-ASCII run with the ASCII character before it, which a combining mark may change. */
const NON_ASCII_RUN = /[\0-\x7f]?[^\0-\x7f]+/g;

/** A piece of the original that NFKC changed. */
interface Change {
  readonly start: number;
  readonly end: number;
  /** Of what it became. */
  readonly length: number;
}

/** NFKC with offsets. ASCII between non-ASCII runs is its own NFKC. */
function composeWithOffsets(original: string): MappedText {
  const parts: string[] = [];
  const changes: Change[] = [];
  let done = 0;
  for (const run of original.matchAll(NON_ASCII_RUN)) {
    let start = run.index;
    for (const cluster of normalizationClusters(run[0])) {
      const composed = cluster.normalize("NFKC");
      const end = start + cluster.length;
      if (composed !== cluster) {
        parts.push(original.slice(done, start), composed);
        changes.push({ start, end, length: composed.length });
        done = end;
      }
      start = end;
    }
  }
  parts.push(original.slice(done));
  const text = parts.join("");
  return { text, ...offsetsOf(text.length, changes) };
}

/** Every unit stands for itself, but those of a changed piece stand for the whole piece. */
function offsetsOf(length: number, changes: readonly Change[]): { starts: Uint32Array; ends: Uint32Array } {
  const starts = new Uint32Array(length);
  const ends = new Uint32Array(length);
  let unit = 0;
  let from = 0;
  const copyTo = (to: number) => {
    for (; from < to; from++, unit++) {
      starts[unit] = from;
      ends[unit] = from + 1;
    }
  };
  for (const change of changes) {
    copyTo(change.start);
    starts.fill(change.start, unit, unit + change.length);
    ends.fill(change.end, unit, unit + change.length);
    unit += change.length;
    from = change.end;
  }
  copyTo(from + length - unit);
  return { starts, ends };
}

/** Characters that never merge with what stands before them and are their own NFKC. */
const INERT = /^[\0-\x7f\u3400-\u4DBF\u4E00-\u9FFF\uAC00-\uD7A3]$/;
const COMBINING = /^\p{M}/u;

/**
 * The smallest pieces of a run that normalise independently: a break stands before a character that begins with no
 * combining mark and does not merge with the piece before it.
 */
function normalizationClusters(run: string): string[] {
  const clusters: string[] = [];
  let cluster = "";
  for (const character of run) {
    if (cluster !== "" && startsCluster(cluster, character)) {
      clusters.push(cluster);
      cluster = character;
    } else {
      cluster += character;
    }
  }
  if (cluster !== "") clusters.push(cluster);
  return clusters;
}

function startsCluster(cluster: string, character: string): boolean {
  if (INERT.test(character)) return true;
  const composed = character.normalize("NFKC");
  if (COMBINING.test(composed)) return false;
  return (cluster + character).normalize("NFKC") === cluster.normalize("NFKC") + composed;
}
