/**
 * Finding the old texts of edits: exactly, else in the normalised spelling. Pure.
 */
import type { Replacement } from "./line-endings.js";
import { type MappedText, normalizeForFuzzyMatch, normalizeWithOffsets } from "./normalize.js";
import { eachOccurrence, firstOccurrence } from "./occurrences.js";

export interface Edit {
  readonly oldText: string;
  readonly newText: string;
}

/** Where the old text of one edit stands in the content. */
export interface EditMatches {
  /** How often, overlapping places included. */
  readonly count: number;
  /** The first ones, at most `SPANS_KEPT`. */
  readonly spans: readonly Span[];
  readonly fuzzy: boolean;
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What a message names, and one more; a text may stand at millions of places. */
export const SPANS_KEPT = 11;

/** A replacement that knows its edit. */
export interface MatchedEdit extends Replacement {
  readonly index: number;
  readonly fuzzy: boolean;
}

/** Finds old texts in one content; the normalised form is made once, and only when an exact match fails. */
export class EditMatcher {
  private normalized: string | undefined;
  private mapped: MappedText | undefined;

  /** @param content with LF line ends */
  constructor(private readonly content: string) {}

  /** Exact matches, else fuzzy ones. A match is fuzzy only where no exact one exists at all. */
  find(oldText: string): EditMatches {
    const exact = this.gather(this.content, oldText, (at) => ({ start: at, end: at + oldText.length }));
    if (exact.count > 0) return { ...exact, fuzzy: false };
    const needle = normalizeForFuzzyMatch(oldText);
    // Whitespace alone normalises to nothing, which would be found everywhere.
    if (needle.trim() === "") return { count: 0, spans: [], fuzzy: true };
    this.normalized ??= normalizeForFuzzyMatch(this.content);
    // The offsets cost more than the text: they are made when there is something to find.
    if (firstOccurrence(this.normalized, needle) === -1) return { count: 0, spans: [], fuzzy: true };
    this.mapped ??= normalizeWithOffsets(this.content);
    const mapped = this.mapped;
    const { starts, ends } = mapped;
    const fuzzy = this.gather(mapped.text, needle, (at) => {
      if (!isWhole(mapped, at, at + needle.length)) return undefined;
      return { start: starts[at] ?? 0, end: ends[at + needle.length - 1] ?? 0 };
    });
    return { ...fuzzy, fuzzy: true };
  }

  /** @param spanAt the place in the content; undefined where the text cannot be replaced */
  private gather(text: string, needle: string, spanAt: (at: number) => Span | undefined) {
    const spans: Span[] = [];
    let count = 0;
    eachOccurrence(text, needle, (at) => {
      const span = spanAt(at);
      if (span && !splitsCharacter(this.content, span.start) && !splitsCharacter(this.content, span.end)) {
        count++;
        if (spans.length < SPANS_KEPT) spans.push(span);
      }
      return "continue";
    });
    return { count, spans };
  }
}

/** Whether an offset lies inside of a surrogate pair: half of it cannot be written as UTF-8. */
function splitsCharacter(text: string, at: number): boolean {
  return at > 0 && at < text.length && (text.codePointAt(at - 1) ?? 0) > 0xffff;
}

/** Whether a match begins and ends between original characters: half of a ligature cannot be replaced. */
function isWhole({ starts, ends }: MappedText, from: number, to: number): boolean {
  const cutsStart = from > 0 && starts[from - 1] === starts[from];
  const cutsEnd = to < ends.length && ends[to] === ends[to - 1];
  return !cutsStart && !cutsEnd;
}
