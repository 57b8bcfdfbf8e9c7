/** The word that a completion replaces: what stands between a delimiter and the cursor. */
export interface CompletionToken {
  readonly text: string;
  /** Column where it starts. */
  readonly start: number;
}

const cjkPunctuation = "\u3000-\u303f\uff00-\uff0f\uff1a-\uff20";
const delimiters = new RegExp(`[\\s"'=${cjkPunctuation}]`, "u");
const needsQuotes = new RegExp(`[\\s${cjkPunctuation}]`, "u");
const openers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "<": ">", "`": "`" };

/** The word before the cursor; a quote that is open reaches back to where it began, also behind an `@`. */
export function tokenBefore(line: string, col: number): CompletionToken {
  const before = line.slice(0, col);
  const quote = openQuote(before);
  if (quote !== undefined) {
    const start = before[quote - 1] === "@" ? quote - 1 : quote;
    return { text: before.slice(start), start };
  }
  let start = before.length;
  while (start > 0 && !delimiters.test(before[start - 1] ?? "")) start--;
  return stripOpeners(before.slice(start), start);
}

/** Index of the double quote that is still open. */
function openQuote(text: string): number | undefined {
  const quotes = [...text.matchAll(/"/g)].map((match) => match.index);
  const last = quotes.at(-1);
  if (last === undefined || quotes.length % 2 === 0) return undefined;
  const previous = text[last - 1] ?? " ";
  return /[\s@=([{<]/.test(previous) ? last : undefined;
}

/** Brackets around a word are not part of it, unless they are closed within. */
function stripOpeners(text: string, start: number): CompletionToken {
  const closer = openers[text[0] ?? ""];
  if (closer === undefined || text.indexOf(closer, 1) > 0) return { text, start };
  return stripOpeners(text.slice(1), start + 1);
}

/** Quotes a path that would otherwise end too early. */
export function quotePath(path: string, quoted: boolean): string {
  return quoted || needsQuotes.test(path) ? `"${path}"` : path;
}
