/**
 * Where a text stands in another one, overlapping places included, in time linear to both. Pure.
 *
 * The engine's own search is fast on usual texts, but on repetitive ones it compares the whole text at every place: a
 * file of equal lines would stop the process for minutes.
 */

/** UTF-16 units that are looked for by the engine; the rest is only compared where they stand. */
const PROBE = 64;
/** What it costs to go on from one place to the next, in units compared. */
const STEP = 64;
/** Units that may always be compared, before a small text counts as repetitive. */
const LENIENCE = 10_000;

/** Calls back for each place in order, until it says `stop`: `aa` stands twice in `aaa`. */
export function eachOccurrence(text: string, needle: string, visit: (at: number) => "continue" | "stop"): void {
  if (needle === "") return;
  const probe = needle.slice(0, PROBE);
  let compared = 0;
  for (let at = text.indexOf(probe); at !== -1; at = text.indexOf(probe, at + 1)) {
    compared += needle.length + STEP;
    if (compared > text.length + LENIENCE) {
      eachInRepetitive(text, needle, at, visit);
      return;
    }
    if (text.startsWith(needle, at) && visit(at) === "stop") return;
  }
}

/** The first place; -1 when there is none. */
export function firstOccurrence(text: string, needle: string): number {
  let first = -1;
  eachOccurrence(text, needle, (at) => {
    first = at;
    return "stop";
  });
  return first;
}

/** Knuth, Morris and Pratt: no unit of the text is looked at again. */
function eachInRepetitive(
  text: string,
  needle: string,
  from: number,
  visit: (at: number) => "continue" | "stop",
): void {
  const borders = borderLengths(needle);
  let matched = 0;
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    while (matched > 0 && (matched === needle.length || unit !== needle.charCodeAt(matched))) {
      matched = borders[matched - 1] ?? 0;
    }
    if (unit === needle.charCodeAt(matched)) matched++;
    if (matched === needle.length && visit(at + 1 - matched) === "stop") return;
  }
}

/** For each beginning of the text, the length of the longest shorter one that it also ends with. */
function borderLengths(text: string): Uint32Array {
  const borders = new Uint32Array(text.length);
  let length = 0;
  for (let at = 1; at < text.length; at++) {
    while (length > 0 && text.charCodeAt(at) !== text.charCodeAt(length)) length = borders[length - 1] ?? 0;
    if (text.charCodeAt(at) === text.charCodeAt(length)) length++;
    borders[at] = length;
  }
  return borders;
}
