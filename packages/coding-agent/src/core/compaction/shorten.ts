/** Conversations too long to be summarised, made shorter: what is longest loses its middle. Pure. */

/** Between the blocks of a conversation. */
export const BLOCK_BREAK = "\n\n";

export interface ShortenedText {
  text: string;
  /** Characters that are not in it. */
  omitted: number;
}

/**
 * The blocks as one text of at most `limit` characters. Every block may be as long as every other; one that is cut says
 * in its middle how much is missing.
 */
export function shortenedText(blocks: readonly string[], limit: number): ShortenedText {
  const whole = blocks.join(BLOCK_BREAK);
  if (whole.length <= limit) return { text: whole, omitted: 0 };
  const longest = longestBlock(blocks, limit);
  // So many blocks that not even a little of each fits are one.
  const cut = (longest > 0 ? blocks : [whole]).map((block) => withoutMiddle(block, longest > 0 ? longest : limit));
  const omitted = cut.reduce((sum, block) => sum + block.omitted, 0);
  return { text: cut.map(({ text }) => text).join(BLOCK_BREAK), omitted };
}

/** The length to cut blocks to so that all of them fit; 0 when there is none. */
function longestBlock(blocks: readonly string[], limit: number): number {
  let fits = 0;
  let fails = limit + 1;
  while (fails - fits > 1) {
    const length = Math.floor((fits + fails) / 2);
    const total = blocks.reduce((sum, block) => sum + Math.min(block.length, length) + BLOCK_BREAK.length, 0);
    if (total - BLOCK_BREAK.length <= limit) fits = length;
    else fails = length;
  }
  return fits;
}

/** Two thirds of what fits are the beginning. */
function withoutMiddle(text: string, length: number): ShortenedText {
  if (text.length <= length) return { text, omitted: 0 };
  const note = (omitted: number) =>
    `${BLOCK_BREAK}[... ${omitted} characters left out: too long to summarise]${BLOCK_BREAK}`;
  const kept = Math.max(0, length - note(text.length).length);
  const head = text.slice(0, wholeCharacters(text, Math.ceil((kept * 2) / 3)));
  const tail = text.slice(text.length - Math.floor(kept / 3));
  const end = isLowSurrogate(tail.charCodeAt(0)) ? tail.slice(1) : tail;
  const omitted = text.length - head.length - end.length;
  return { text: kept === 0 ? "" : head + note(omitted) + end, omitted };
}

/** A cut at or before `length` that does not split a surrogate pair, and not before the first character. */
export function wholeCharacters(text: string, length: number): number {
  return length > 1 && length < text.length && isLowSurrogate(text.charCodeAt(length)) ? length - 1 : length;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
