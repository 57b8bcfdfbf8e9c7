/** What somebody may have meant who mistyped a word. Pure. */

/**
 * The candidate nearest to `word`, undefined when none is near: few letters may be wrong, missing, too many or swapped,
 * fewer in short words. Dashes in front and capitals do not count. A beginning that only one candidate has is near too.
 */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = bare(word);
  if (wanted.length < 3) return undefined;
  const all = [...candidates];
  let best: { candidate: string; distance: number; other: number } | undefined;
  for (const candidate of all) {
    const name = bare(candidate);
    if (name.length < 3) continue;
    const distance = editDistance(wanted, name);
    if (distance > tolerance(Math.min(wanted.length, name.length))) continue;
    // The first letter is seldom wrong, and swapped letters are likelier than one that is missing.
    const other = (wanted[0] === name[0] ? 0 : 100) + Math.abs(wanted.length - name.length);
    if (!best || distance < best.distance || (distance === best.distance && other < best.other)) {
      best = { candidate, distance, other };
    }
  }
  if (best) return best.candidate;
  const longer = all.filter((candidate) => bare(candidate).startsWith(wanted));
  return longer.length === 1 ? longer[0] : undefined;
}

/** `Did you mean x?`, for the nearest candidate. */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  const candidate = closest(word, candidates);
  return candidate === undefined ? undefined : `Did you mean ${candidate}?`;
}

function tolerance(length: number): number {
  if (length < 5) return 1;
  return length < 10 ? 2 : 3;
}

function bare(word: string): string {
  return word.replace(/^-+/, "").toLowerCase();
}

/** Letters to insert, remove, replace or swap with their neighbour. */
export function editDistance(from: string, to: string): number {
  // Three rows of the table are enough: a swap looks two back.
  let before: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      let cost = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        cost = Math.min(cost, (before[column - 2] ?? 0) + 1);
      }
      current.push(cost);
    }
    before = previous;
    previous = current;
  }
  return previous[to.length] ?? 0;
}
