/**
 * What an edit that cannot be applied tells the model. The first sentence of each text is a contract
 * (agent-and-tools.md B3); what follows it helps the next attempt.
 */

/** Which edit of how many in which file. */
export interface EditPlace {
  readonly path: string;
  readonly index: number;
  readonly count: number;
}

const LINES_NAMED = 10;

export function notFoundMessage({ path, index, count }: EditPlace, hint: string): string {
  const subject = count === 1 ? "the exact text" : `edits[${index}]`;
  const old = count === 1 ? "old text" : "oldText";
  return `Could not find ${subject} in ${path}. The ${old} must match exactly including all whitespace and newlines.${hint}`;
}

/**
 * @param found how often the text stands there
 * @param lines 1-based lines of the first occurrences; those that are too many to name are left out
 */
export function notUniqueMessage({ path, index, count }: EditPlace, found: number, lines: readonly number[]): string {
  const subject = count === 1 ? "the text" : `edits[${index}]`;
  const rule = count === 1 ? "The text" : "Each oldText";
  const places = lines.slice(0, LINES_NAMED).join(", ") + (found > LINES_NAMED ? ", ..." : "");
  return `Found ${found} occurrences of ${subject} in ${path}. ${rule} must be unique. Please provide more context to make it unique. Occurrences start at lines ${places}.`;
}

export function emptyOldTextMessage({ path, index, count }: EditPlace): string {
  return count === 1
    ? `oldText must not be empty in ${path}.`
    : `edits[${index}].oldText must not be empty in ${path}.`;
}

export function noChangeMessage(path: string, count: number): string {
  return count === 1
    ? `No changes made to ${path}. The replacement produced identical content. This might indicate an issue with special characters or the text not existing as expected.`
    : `No changes made to ${path}. The replacements produced identical content.`;
}

/** @param first index of the edit that stands earlier in the file */
export function overlapMessage(path: string, first: number, second: number): string {
  return `edits[${first}] and edits[${second}] overlap in ${path}. Merge them into one edit or target disjoint regions.`;
}
