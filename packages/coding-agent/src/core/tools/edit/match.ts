/**
 * Finding the old texts of edits: exactly, else in the normalised spelling. Pure.
 */
import type { Replacement } from "./line-endings.js";
import { type MappedText, normalizeForFuzzyMatch, normalizeWithOffsets } from "./normalize.js";

export interface Edit {
  readonly oldText: string;
  readonly newText: string;
}

/** Where the old text of one edit stands in the content; all of them, overlapping ones too. */
export interface EditMatches {
  readonly spans: readonly { readonly start: number; readonly end: number }[];
  readonly fuzzy: boolean;
}

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
    const exact = occurrences(this.content, oldText);
    if (exact.length > 0) {
      return { spans: exact.map((start) => ({ start, end: start + oldText.length })), fuzzy: false };
    }
    const needle = normalizeForFuzzyMatch(oldText);
    // Whitespace alone normalises to nothing, which would be found everywhere.
    this.normalized ??= normalizeForFuzzyMatch(this.content);
    // The offsets cost more than the text: they are made when there is something to find.
    if (needle.trim() === "" || !this.normalized.includes(needle)) return { spans: [], fuzzy: true };
    this.mapped ??= normalizeWithOffsets(this.content);
    const mapped = this.mapped;
    const { starts, ends } = mapped;
    const spans = occurrences(mapped.text, needle)
      .filter((at) => isWhole(mapped, at, at + needle.length))
      .map((at) => ({ start: starts[at] ?? 0, end: ends[at + needle.length - 1] ?? 0 }));
    return { spans, fuzzy: true };
  }
}

/** Offsets of all occurrences, overlapping ones included: `aa` stands twice in `aaa`. */
export function occurrences(text: string, needle: string): number[] {
  const found: number[] = [];
  if (needle === "") return found;
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + 1)) found.push(at);
  return found;
}

/** Whether a match begins and ends between original characters: half of a ligature cannot be replaced. */
function isWhole({ starts, ends }: MappedText, from: number, to: number): boolean {
  const cutsStart = from > 0 && starts[from - 1] === starts[from];
  const cutsEnd = to < ends.length && ends[to] === ends[to - 1];
  return !cutsStart && !cutsEnd;
}
