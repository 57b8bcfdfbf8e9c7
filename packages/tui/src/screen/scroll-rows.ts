import { isImageLine } from "./prepare-line.js";

/** Fewer rows than this are cheaper written anew. */
const MIN_SAVED = 3;

/** A stretch of rows that the terminal can move up (`by` > 0) or down instead of getting them again. */
interface Shift {
  readonly first: number;
  readonly last: number;
  readonly by: number;
}

/**
 * Moves rows that are still there, but higher or lower, as a scrolled transcript's are. Returns what to send for it and
 * the rows as they are then.
 */
export function scrollRows(rows: readonly string[], next: readonly string[]): { out: string; rows: string[] } {
  const shift = rows.length === next.length && !rows.some(isImageLine) ? bestShift(rows, next) : undefined;
  if (!shift) return { out: "", rows: [...rows] };
  const { first, last, by } = shift;
  const moved = [...rows];
  for (let row = first; row <= last; row++) {
    const from = row + by;
    moved[row] = from >= first && from <= last ? (rows[from] ?? "") : "";
  }
  const move = by > 0 ? `\x1b[${by}S` : `\x1b[${-by}T`;
  return { out: `\x1b[${first + 1};${last + 1}r${move}\x1b[r`, rows: moved };
}

function bestShift(rows: readonly string[], next: readonly string[]): Shift | undefined {
  let best: Shift | undefined;
  let bestSaved = MIN_SAVED - 1;
  for (let by = 1; by < rows.length; by++) {
    for (const signed of [by, -by]) {
      let run = 0;
      let saved = 0;
      for (let row = 0; row <= next.length; row++) {
        const from = row + signed;
        if (row < next.length && from >= 0 && from < rows.length && next[row] === rows[from]) {
          run++;
          // Rows that are right where they are, and empty ones, save nothing.
          if (next[row] !== rows[row] && next[row] !== "") saved++;
          continue;
        }
        if (saved > bestSaved) {
          bestSaved = saved;
          const [low, high] = [row - run, row - 1];
          best = { first: Math.min(low, low + signed), last: Math.max(high, high + signed), by: signed };
        }
        run = 0;
        saved = 0;
      }
    }
  }
  return best;
}
