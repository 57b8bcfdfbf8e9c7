/**
 * From the edits of one call to the new text of the file. Either every edit applies or nothing does.
 */
import { setImmediate } from "node:timers/promises";
import { throwIfAborted } from "../abort.js";
import { emptyOldTextMessage, noChangeMessage, notFoundMessage, notUniqueMessage, overlapMessage } from "./errors.js";
import { normalizeToLF, spliceIntoOriginal, splitBom } from "./line-endings.js";
import { type Edit, EditMatcher, type MatchedEdit } from "./match.js";
import { describeNearest } from "./nearest.js";

export interface AppliedEdits {
  /** The whole new text, byte order mark and line ends as they were. */
  readonly text: string;
  /** Old and new text for diffs: LF line ends, no byte order mark. */
  readonly oldContent: string;
  readonly newContent: string;
  /** In order of position, offsets of `oldContent`. */
  readonly matches: readonly MatchedEdit[];
}

/**
 * Applies edits that are all matched against the same original.
 *
 * @param original the decoded file
 * @param path as the caller wrote it, for messages
 * @throws Error with the text that the model reads when an edit is missing, ambiguous, empty, overlapping or idle;
 *   `Operation aborted`
 */
export async function applyEdits(
  original: string,
  edits: readonly Edit[],
  path: string,
  signal?: AbortSignal,
): Promise<AppliedEdits> {
  const { bom, content } = splitBom(original);
  const oldContent = normalizeToLF(content);
  const matches = await matchEdits(oldContent, edits, path, signal);
  const text = bom + spliceIntoOriginal(content, matches);
  if (text === original) throw new Error(noChangeMessage(path, edits.length));
  return { text, oldContent, newContent: normalizeToLF(text.slice(bom.length)), matches };
}

/** Finds every edit in the LF content, in order of position. */
export async function matchEdits(
  content: string,
  edits: readonly Edit[],
  path: string,
  signal?: AbortSignal,
): Promise<MatchedEdit[]> {
  const matcher = new EditMatcher(content);
  const matched: MatchedEdit[] = [];
  const breathe = breathing(signal);
  for (const [index, edit] of edits.entries()) {
    await breathe();
    const place = { path, index, count: edits.length };
    const oldText = normalizeToLF(edit.oldText);
    if (oldText === "") throw new Error(emptyOldTextMessage(place));
    const newText = normalizeToLF(edit.newText);
    const { count, spans, fuzzy } = matcher.find(oldText);
    const [span] = spans;
    if (!span) throw new Error(notFoundMessage(place, describeNearest(content, oldText, newText)));
    if (count > 1) {
      const starts = spans.map(({ start }) => start);
      throw new Error(notUniqueMessage(place, count, lineNumbers(content, starts)));
    }
    matched.push({ ...span, newText, index, fuzzy });
  }
  matched.sort((a, b) => a.start - b.start || a.end - b.end);
  for (let i = 1; i < matched.length; i++) {
    const [previous, next] = [matched[i - 1], matched[i]];
    if (previous && next && next.start < previous.end) {
      throw new Error(overlapMessage(path, previous.index, next.index));
    }
  }
  return matched;
}

/** Between edits: lets others run now and then, and heeds an abort. Many edits of a large file take a while. */
function breathing(signal: AbortSignal | undefined): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last > BREATH_MS) {
      await setImmediate();
      last = performance.now();
    }
    throwIfAborted(signal);
  };
}

const BREATH_MS = 20;

/** 1-based line numbers of ascending offsets. */
function lineNumbers(content: string, offsets: readonly number[]): number[] {
  let line = 1;
  let scanned = 0;
  return offsets.map((offset) => {
    for (let at = content.indexOf("\n", scanned); at !== -1 && at < offset; at = content.indexOf("\n", at + 1)) line++;
    scanned = Math.max(scanned, offset);
    return line;
  });
}
