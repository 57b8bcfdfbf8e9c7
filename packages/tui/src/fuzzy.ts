export interface FuzzyMatch {
  matches: boolean;
  /** Lower is better. */
  score: number;
}

const NO_MATCH: FuzzyMatch = { matches: false, score: 0 };
const SWAPPED = /^([a-z]+)(\d+)$|^(\d+)([a-z]+)$/;

/** Whether the characters of a query appear in a text in their order, in any case, and how well. */
export function fuzzyMatch(query: string, text: string): FuzzyMatch {
  const wanted = query.toLowerCase();
  const given = text.toLowerCase();
  const direct = matchInOrder(wanted, given);
  if (direct.matches) return direct;
  // "5gpt" for "gpt5": letters and digits are easily mixed up.
  const parts = SWAPPED.exec(wanted);
  if (!parts) return direct;
  const swapped = matchInOrder(`${parts[2] ?? parts[4]}${parts[1] ?? parts[3]}`, given);
  return swapped.matches ? { matches: true, score: swapped.score + 5 } : direct;
}

function matchInOrder(query: string, text: string): FuzzyMatch {
  if (query === "") return { matches: true, score: 0 };
  let score = query === text ? -100 : 0;
  let last = -1;
  let run = 0;
  for (const char of query) {
    const at = text.indexOf(char, last + 1);
    if (at < 0) return NO_MATCH;
    if (last >= 0 && at === last + 1) {
      run++;
      score -= 5 * run;
    } else {
      run = 0;
      if (last >= 0) score += 2 * (at - last - 1);
    }
    if (at === 0 || /[\s\-_./:]/.test(text[at - 1] ?? "")) score -= 10;
    score += 0.1 * at;
    last = at + char.length - 1;
  }
  return { matches: true, score };
}

/** The items that match every word of the query, the best first; all of them, as they are, without a query. */
export function fuzzyFilter<T>(items: T[], query: string, getText: (item: T) => string): T[] {
  const tokens = query.split(/[\s/]+/).filter((token) => token !== "");
  if (tokens.length === 0) return items;
  const scored: { item: T; score: number }[] = [];
  for (const item of items) {
    const text = getText(item);
    const matches = tokens.map((token) => fuzzyMatch(token, text));
    if (matches.every((match) => match.matches)) {
      scored.push({ item, score: matches.reduce((sum, match) => sum + match.score, 0) });
    }
  }
  return scored.sort((a, b) => a.score - b.score).map(({ item }) => item);
}
