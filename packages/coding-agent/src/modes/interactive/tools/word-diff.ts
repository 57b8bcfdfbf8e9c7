/** What differs between two versions of a line, word by word. Pure. */

/** Longer lines are not compared: the table of common words grows with the product of both. */
const MAX_WORDS = 400;

/** Both versions with their own words in `mark`; leading blanks and what is common are never marked. */
export function markChanges(
  before: string,
  after: string,
  mark: (text: string) => string,
): { before: string; after: string } {
  const [old, fresh] = [wordsOf(before), wordsOf(after)];
  if (old.length > MAX_WORDS || fresh.length > MAX_WORDS) return { before, after };
  const common = commonWords(old, fresh);
  // Nothing in common but blanks: the whole lines differ, and marking all of it says nothing.
  if (!common.some(([at]) => /\S/.test(old[at] ?? ""))) return { before, after };
  return {
    before: marked(old, new Set(common.map(([at]) => at)), mark),
    after: marked(fresh, new Set(common.map(([, at]) => at)), mark),
  };
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

function marked(words: readonly string[], kept: ReadonlySet<number>, mark: (text: string) => string): string {
  let out = "";
  let run = "";
  const flush = () => {
    if (run === "") return;
    const blanks = out === "" ? (/^\s*/.exec(run)?.[0] ?? "") : "";
    const rest = run.slice(blanks.length);
    out += blanks + (rest === "" ? "" : mark(rest));
    run = "";
  };
  for (const [at, word] of words.entries()) {
    if (!kept.has(at)) run += word;
    else {
      flush();
      out += word;
    }
  }
  flush();
  return out;
}

/** Places of the longest common subsequence in both. */
function commonWords(a: readonly string[], b: readonly string[]): [number, number][] {
  const length = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  const at = (row: number, column: number) => length[row]?.[column] ?? 0;
  for (let row = a.length - 1; row >= 0; row--) {
    const line = length[row];
    if (!line) continue;
    for (let column = b.length - 1; column >= 0; column--) {
      line[column] =
        a[row] === b[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const pairs: [number, number][] = [];
  for (let row = 0, column = 0; row < a.length && column < b.length; ) {
    if (a[row] === b[column]) pairs.push([row++, column++]);
    else if (at(row + 1, column) >= at(row, column + 1)) row++;
    else column++;
  }
  return pairs;
}
