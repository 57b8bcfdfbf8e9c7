/**
 * A shortest line diff (Myers 1986, greedy). Pure, and small enough to load with every start, unlike a library.
 */

/** A run of lines: both sides equal, or some lines of the old side replaced by some of the new one. */
export interface LineRun {
  readonly equal: boolean;
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** More differences than this are shown as one block: the search costs their square. */
const MAX_DIFFERENCES = 2000;

/** Lines with their terminators, so that a missing final newline is a difference. */
export function terminatedLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Runs that cover both sides in order; equal and changed runs alternate. */
export function diffLines(oldLines: readonly string[], newLines: readonly string[]): LineRun[] {
  const shorter = Math.min(oldLines.length, newLines.length);
  let head = 0;
  while (head < shorter && oldLines[head] === newLines[head]) head++;
  let tail = 0;
  while (tail < shorter - head && oldLines.at(-1 - tail) === newLines.at(-1 - tail)) tail++;
  const matches = middleMatches(oldLines, newLines, head, oldLines.length - tail, newLines.length - tail);

  const runs: LineRun[] = [];
  const push = (equal: boolean, oldStart: number, oldEnd: number, newStart: number, newEnd: number) => {
    if (oldEnd === oldStart && newEnd === newStart) return;
    const last = runs.at(-1);
    if (last?.equal === equal) runs[runs.length - 1] = { ...last, oldEnd, newEnd };
    else runs.push({ equal, oldStart, oldEnd, newStart, newEnd });
  };
  push(true, 0, head, 0, head);
  let [x, y] = [head, head];
  for (const { oldStart, newStart, length } of matches) {
    push(false, x, oldStart, y, newStart);
    push(true, oldStart, oldStart + length, newStart, newStart + length);
    [x, y] = [oldStart + length, newStart + length];
  }
  push(false, x, oldLines.length - tail, y, newLines.length - tail);
  push(true, oldLines.length - tail, oldLines.length, newLines.length - tail, newLines.length);
  return runs;
}

/** Lines that are equal on both sides. */
interface Match {
  readonly oldStart: number;
  readonly newStart: number;
  readonly length: number;
}

/** Equal lines between `start` (of both sides) and the two ends. */
function middleMatches(
  oldLines: readonly string[],
  newLines: readonly string[],
  start: number,
  oldEnd: number,
  newEnd: number,
): Match[] {
  const n = oldEnd - start;
  const m = newEnd - start;
  if (n === 0 || m === 0) return [];
  const limit = Math.min(n + m, MAX_DIFFERENCES);
  // reach[k + limit + 1]: how far diagonal k got on the old side. One copy per step leads back.
  let reach = new Int32Array(2 * limit + 3);
  const steps: Int32Array[] = [];
  for (let d = 0; d <= limit; d++) {
    steps.push(reach.slice(limit - d, limit + d + 3));
    const next = reach.slice();
    for (let k = -d; k <= d; k += 2) {
      const at = k + limit + 1;
      const down = k === -d || (k !== d && (reach[at - 1] ?? 0) < (reach[at + 1] ?? 0));
      let x = down ? (reach[at + 1] ?? 0) : (reach[at - 1] ?? 0) + 1;
      let y = x - k;
      while (x < n && y < m && oldLines[start + x] === newLines[start + y]) {
        x++;
        y++;
      }
      next[at] = x;
      if (x >= n && y >= m) return walkBack(steps, n, m, start);
    }
    reach = next;
  }
  return [];
}

/** Follows the recorded steps from the end to the start and collects the diagonals. */
function walkBack(steps: readonly Int32Array[], n: number, m: number, start: number): Match[] {
  const matches: Match[] = [];
  let [x, y] = [n, m];
  for (let d = steps.length - 1; d >= 0; d--) {
    const reach = steps[d];
    if (!reach) break;
    const k = x - y;
    // Step d recorded diagonals -d-1 .. d+1; entry 0 is diagonal -d-1.
    const at = k + d + 1;
    const down = k === -d || (k !== d && (reach[at - 1] ?? 0) < (reach[at + 1] ?? 0));
    const fromK = down ? k + 1 : k - 1;
    const fromX = d === 0 ? 0 : (reach[fromK + d + 1] ?? 0);
    const fromY = d === 0 ? 0 : fromX - fromK;
    const length = Math.max(0, Math.min(x - Math.max(fromX, 0), y - Math.max(fromY, 0)));
    if (length > 0) matches.push({ oldStart: start + x - length, newStart: start + y - length, length });
    [x, y] = [fromX, fromY];
  }
  return matches.reverse();
}
