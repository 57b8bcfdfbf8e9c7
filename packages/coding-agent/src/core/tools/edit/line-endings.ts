/**
 * Edits are matched on text with LF line ends and spliced into the text as it is on disk, so that files with mixed
 * endings keep each untouched line's ending. Source: agent-and-tools.md section 0 and B3 (writing back).
 */

/** A replacement of `[start, end)`; offsets of the LF text. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/** `\r\n` and lone `\r` become `\n`. */
export function normalizeToLF(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}

/** Takes a byte order mark off. */
export function splitBom(text: string): { bom: string; content: string } {
  return text.startsWith("\uFEFF") ? { bom: "\uFEFF", content: text.slice(1) } : { bom: "", content: text };
}

/**
 * Applies replacements found in the LF form of `original` to `original` itself.
 *
 * Line ends of a new text become those of the line where its range starts. Where a kept CR would meet an inserted or
 * kept LF and both would become one line end, an LF is added.
 *
 * @param replacements in order, not overlapping; new texts with LF line ends
 */
export function spliceIntoOriginal(original: string, replacements: readonly Replacement[]): string {
  const toOriginal = offsetMapping(original);
  // Joined at the end: looking at the end of a growing string would copy it every time.
  const pieces: string[] = [];
  let kept = 0;
  let endsInReturn = false;
  const append = (piece: string) => {
    if (piece === "") return;
    if (endsInReturn && piece.startsWith("\n")) pieces.push("\n");
    pieces.push(piece);
    endsInReturn = piece.endsWith("\r");
  };
  for (const { start, end, newText } of replacements) {
    append(original.slice(kept, toOriginal(start)));
    const ending = newText.includes("\n") ? endingAt(original, toOriginal(start)) : "\n";
    append(ending === "\n" ? newText : newText.replaceAll("\n", ending));
    kept = toOriginal(end);
  }
  append(original.slice(kept));
  return pieces.join("");
}

/** Maps offsets of the LF text to offsets of the original; an offset never lands inside a `\r\n`. */
function offsetMapping(original: string): (offset: number) => number {
  if (!original.includes("\r\n")) return (offset) => offset;
  // LF offsets of the pairs, ascending.
  const pairs: number[] = [];
  for (let at = original.indexOf("\r\n"); at !== -1; at = original.indexOf("\r\n", at + 2))
    pairs.push(at - pairs.length);
  return (offset) => {
    let low = 0;
    let high = pairs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return offset + low;
  };
}

/** The line end of the line that holds `offset` of the original. */
function endingAt(original: string, offset: number): string {
  // Files with no LF at all are the old Macintosh kind; elsewhere a lone CR is part of a line.
  if (!original.includes("\n")) return original.includes("\r") ? "\r" : "\n";
  const own = original.indexOf("\n", offset);
  if (own !== -1) return original[own - 1] === "\r" ? "\r\n" : "\n";
  const previous = offset > 0 ? original.lastIndexOf("\n", offset - 1) : -1;
  return previous > 0 && original[previous - 1] === "\r" ? "\r\n" : "\n";
}
