/**
 * A change as people and programs read it: the numbered display and the unified patch.
 * Source: agent-and-tools.md B3 (`diff`, `patch`).
 */
import { diffLines, type LineRun, terminatedLines } from "./line-diff.js";

export interface EditDiffResult {
  /** Numbered display, see `generateDiffString`. */
  diff: string;
  /** 1-based, in the new content; undefined when nothing changed. */
  firstChangedLine: number | undefined;
}

/** A change in both of its shapes. */
export interface RenderedEdit extends EditDiffResult {
  /** Unified patch. */
  patch: string;
}

/** The lines of both sides and what became of them. */
interface Comparison {
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
  readonly runs: readonly LineRun[];
}

const DEFAULT_CONTEXT = 4;
const NO_FINAL_NEWLINE = "\\ No newline at end of file";

/**
 * The display of a change: sign, line number, space, text. Removed and context lines carry old numbers, added lines
 * new ones; skipped lines show as `...`.
 *
 * @param context unchanged lines round each change
 */
export function generateDiffString(
  oldContent: string,
  newContent: string,
  context: number = DEFAULT_CONTEXT,
): EditDiffResult {
  return display(compare(oldContent, newContent), context);
}

/** Display and patch of one change; both contents are compared once. */
export function renderEdit(path: string, oldContent: string, newContent: string): RenderedEdit {
  const comparison = compare(oldContent, newContent);
  return { ...display(comparison, DEFAULT_CONTEXT), patch: unifiedPatch(path, comparison, DEFAULT_CONTEXT) };
}

function compare(oldContent: string, newContent: string): Comparison {
  const oldLines = terminatedLines(oldContent);
  const newLines = terminatedLines(newContent);
  return { oldLines, newLines, runs: diffLines(oldLines, newLines) };
}

/** Lines as an editor counts them: the empty one behind a final newline too. */
function editorLines(lines: readonly string[]): number {
  return lines.length + (lines.length === 0 || lines.at(-1)?.endsWith("\n") ? 1 : 0);
}

function display({ oldLines, newLines, runs }: Comparison, context: number): EditDiffResult {
  const width = String(Math.max(editorLines(oldLines), editorLines(newLines))).length;
  const row = (sign: string, number: number, line: string | undefined) =>
    `${sign}${String(number).padStart(width)} ${withoutNewline(line)}`;
  const skipped = ` ${" ".repeat(width)} ...`;
  const rows: string[] = [];
  runs.forEach((run, i) => {
    if (!run.equal) {
      for (let at = run.oldStart; at < run.oldEnd; at++) rows.push(row("-", at + 1, oldLines[at]));
      for (let at = run.newStart; at < run.newEnd; at++) rows.push(row("+", at + 1, newLines[at]));
      return;
    }
    const { after, before } = contextOf(run, i > 0, i < runs.length - 1, context);
    for (let at = run.oldStart; at < after; at++) rows.push(row(" ", at + 1, oldLines[at]));
    if (before > after && runs.length > 1) rows.push(skipped);
    for (let at = Math.max(after, before); at < run.oldEnd; at++) rows.push(row(" ", at + 1, oldLines[at]));
  });
  const first = runs.find((run) => !run.equal);
  return { diff: first ? rows.join("\n") : "", firstChangedLine: first && first.newStart + 1 };
}

/**
 * A unified patch that `patch` and `git apply` accept: headers without dates, counts always written.
 *
 * @param context unchanged lines round each change
 */
export function generateUnifiedPatch(
  path: string,
  oldContent: string,
  newContent: string,
  context: number = DEFAULT_CONTEXT,
): string {
  return unifiedPatch(path, compare(oldContent, newContent), context);
}

function unifiedPatch(path: string, { oldLines, newLines, runs }: Comparison, context: number): string {
  const rows = [`--- ${path}`, `+++ ${path}`];
  for (const hunk of hunks(runs, context)) {
    const first = hunk[0];
    const last = hunk.at(-1);
    if (!first || !last) continue;
    const oldCount = last.oldEnd - first.oldStart;
    const newCount = last.newEnd - first.newStart;
    // A side without lines names the line before it.
    const oldFrom = first.oldStart + (oldCount === 0 ? 0 : 1);
    const newFrom = first.newStart + (newCount === 0 ? 0 : 1);
    rows.push(`@@ -${oldFrom},${oldCount} +${newFrom},${newCount} @@`);
    for (const run of hunk) {
      if (run.equal) patchRows(rows, " ", oldLines.slice(run.oldStart, run.oldEnd));
      else {
        patchRows(rows, "-", oldLines.slice(run.oldStart, run.oldEnd));
        patchRows(rows, "+", newLines.slice(run.newStart, run.newEnd));
      }
    }
  }
  return `${rows.join("\n")}\n`;
}

function patchRows(rows: string[], sign: string, lines: readonly string[]): void {
  for (const line of lines) {
    rows.push(sign + withoutNewline(line));
    if (!line.endsWith("\n")) rows.push(NO_FINAL_NEWLINE);
  }
}

function withoutNewline(line: string | undefined): string {
  if (line === undefined) return "";
  return line.endsWith("\n") ? line.slice(0, -1) : line;
}

/**
 * Which lines of an equal run are shown: `[oldStart, after)` as the context of the change before it and
 * `[before, oldEnd)` as that of the change behind it.
 */
function contextOf(
  run: LineRun,
  hasPrevious: boolean,
  hasNext: boolean,
  context: number,
): { after: number; before: number } {
  return {
    after: hasPrevious ? Math.min(run.oldEnd, run.oldStart + context) : run.oldStart,
    before: hasNext ? Math.max(run.oldStart, run.oldEnd - context) : run.oldEnd,
  };
}

/** Changes with their context; changes whose contexts touch share a hunk. */
function hunks(runs: readonly LineRun[], context: number): LineRun[][] {
  const result: LineRun[][] = [];
  let current: LineRun[] | undefined;
  runs.forEach((run, i) => {
    if (!run.equal) {
      current ??= [];
      current.push(run);
      return;
    }
    const { after, before } = contextOf(run, i > 0, i < runs.length - 1, context);
    const joined = current !== undefined && i < runs.length - 1 && before <= after;
    if (joined) {
      current?.push(run);
      return;
    }
    const shift = run.newStart - run.oldStart;
    if (current) {
      if (after > run.oldStart) current.push({ ...run, oldEnd: after, newEnd: after + shift });
      result.push(current);
      current = undefined;
    }
    if (i < runs.length - 1) {
      current = before < run.oldEnd ? [{ ...run, oldStart: before, newStart: before + shift }] : [];
    }
  });
  if (current) result.push(current);
  return result;
}
