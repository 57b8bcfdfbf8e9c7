/**
 * What to tell a model whose old text is not in the file: the closest region and how it differs. Never a guess that is
 * applied. Pure.
 */
import { splitLines } from "../truncate.js";
import { eachOccurrence, firstOccurrence } from "./occurrences.js";

const LINES_SHOWN = 10;
/** Below this likeness (0..1) a region says nothing. */
const LIKENESS_SHOWN = 0.5;
/** Letters of the file compared one by one when no line of it is known. */
const LETTERS_COMPARED = 2_000_000;
const LETTERS_OF_LINE = 1000;
/** A line that the old text repeats votes for so many of its places. */
const PLACES_OF_LINE = 4;
const CANDIDATES = 20;
const LINE_LENGTH_SHOWN = 200;

/** A region of the file: lines `[start, start + count)`, 0-based. */
interface Region {
  readonly start: number;
  readonly count: number;
}

/** Text to append to a not-found message, with its own separator; empty when nothing is close. */
export function describeNearest(content: string, oldText: string, newText: string): string {
  if (content === "") return " The file is empty. Use write to give it content.";
  const literal = literalEscapes(content, oldText);
  if (literal) return ` ${literal}`;
  const applied = alreadyApplied(content, oldText, newText);
  const hints = applied ? [applied] : [];
  const fileLines = splitLines(content);
  const oldLines = trimEmptyLines(splitLines(oldText));
  const region = nearestRegion(fileLines, oldLines);
  if (!region) return hints.map((hint) => ` ${hint}`).join("");
  const found = fileLines.slice(region.start, region.start + region.count);
  const kind = kindOfDifference(found.join("\n"), oldLines.join("\n"));
  if (kind) hints.push(kind);
  const shown = numbered(found.slice(0, LINES_SHOWN), region.start);
  return `${hints.map((hint) => ` ${hint}`).join("")}\n\nClosest text in the file:\n${shown}`;
}

/** Of a new text that is part of a line, shorter ones stand everywhere. */
const TELLING_LENGTH = 4;

/** Models repeat an edit whose success they forgot: then the file holds what it would have put there. */
function alreadyApplied(content: string, oldText: string, newText: string): string | undefined {
  if (newText.trim() === "") return undefined;
  // Shortening a text leaves what was there before; only whole lines then say anything.
  const partsCount = newText.trim().length >= TELLING_LENGTH && firstOccurrence(oldText, newText) === -1;
  let place = -1;
  eachOccurrence(content, newText, (at) => {
    if (!partsCount && !isWholeLines(content, at, at + newText.length)) return "continue";
    place = at;
    return "stop";
  });
  if (place === -1) return undefined;
  return `The new text is in the file already (line ${lineAt(content, place)}), so this edit may be already applied.`;
}

function isWholeLines(content: string, start: number, end: number): boolean {
  const begins = start === 0 || content[start - 1] === "\n" || content[start] === "\n";
  return begins && (end === content.length || content[end] === "\n" || content[end - 1] === "\n");
}

/** 1-based. */
function lineAt(content: string, offset: number): number {
  return content.slice(0, offset).split("\n").length;
}

function numbered(lines: readonly string[], start: number): string {
  const width = String(start + lines.length).length;
  return lines
    .map((line, i) => {
      const text = line.length > LINE_LENGTH_SHOWN ? `${line.slice(0, LINE_LENGTH_SHOWN)}...` : line;
      return `${String(start + i + 1).padStart(width)}: ${text}`;
    })
    .join("\n");
}

/** Old texts whose escapes were written out: `\n` as two characters. */
function literalEscapes(content: string, oldText: string): string | undefined {
  if (!/\\[nt"']/.test(oldText)) return undefined;
  const unescaped = oldText.replace(/\\(.)/g, (whole, letter: string) => {
    if (letter === "n") return "\n";
    if (letter === "t") return "\t";
    return letter === '"' || letter === "'" ? letter : whole;
  });
  const place = unescaped === oldText ? -1 : firstOccurrence(content, unescaped);
  if (place === -1) return undefined;
  return `The old text holds a literal \\n, \\t or escaped quote where the file has the character itself (line ${lineAt(content, place)}).`;
}

/** Names what, once ignored, makes the wanted text part of the found lines. */
export function kindOfDifference(found: string, wanted: string): string | undefined {
  const same = (...ignore: ((text: string) => string)[]) => {
    const view = (text: string) => ignore.reduce((seen, step) => step(seen), text);
    return firstOccurrence(view(found), view(wanted)) !== -1;
  };
  if (same(ignoreTrailing)) return "The difference is in trailing whitespace.";
  const oneHasTabs = found.includes("\t") !== wanted.includes("\t");
  if (oneHasTabs && same(ignoreTrailing, ignoreTabs)) return "The difference is tabs against spaces.";
  if (same(ignoreIndent)) return "The difference is in indentation.";
  if (same(ignoreTrailing, ignoreQuotes)) return "The difference is in quotes.";
  if (same(ignoreTrailing, ignoreCase)) return "The difference is in upper and lower case.";
  if (same(ignoreWhitespace)) return "The difference is in whitespace.";
  if (same(ignoreWhitespace, ignoreQuotes)) return "The difference is in whitespace and quotes.";
  if (same(ignoreWhitespace, ignoreCase)) return "The difference is in whitespace and upper and lower case.";
  return undefined;
}

const eachLine = (change: (line: string) => string) => (text: string) => text.split("\n").map(change).join("\n");
const ignoreTrailing = eachLine((line) => line.trimEnd());
const ignoreIndent = eachLine((line) => line.trim());
/** A tab and a run of spaces are the same, whatever width a tab has. */
const ignoreTabs = (text: string) =>
  text.replace(/[\t ]+/g, (blanks) => (blanks.includes("\t") || blanks.length > 1 ? "\t" : " "));
/** Straight, typographic and backquotes, primes and their like, single or double. */
const ignoreQuotes = (text: string) =>
  text.replace(/["'`\u00AB\u00B4\u00BB\u2018-\u201F\u2032\u2033\u2039\u203A]/g, "'");
const ignoreCase = (text: string) => text.toLowerCase();
const ignoreWhitespace = (text: string) => text.replace(/\s+/g, "");

/** A line as regions are compared: without whitespace and case, all quotes the same. */
function squash(line: string): string {
  return ignoreQuotes(ignoreWhitespace(line)).toLowerCase();
}

function trimEmptyLines(lines: readonly string[]): string[] {
  const isText = (line: string) => line.trim() !== "";
  const first = lines.findIndex(isText);
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex(isText) + 1);
}

/** The region of as many lines as the old text that is most like it, if any is like it at all. */
export function nearestRegion(fileLines: readonly string[], oldLines: readonly string[]): Region | undefined {
  const wanted = oldLines.map(squash);
  if (wanted.length === 0) return undefined;
  const file = fileLines.map(squash);
  let best: (Region & { likeness: number }) | undefined;
  for (const start of candidateStarts(file, wanted)) {
    const count = Math.min(wanted.length, file.length - start);
    const likeness = regionLikeness(file.slice(start, start + count), wanted);
    if (!best || likeness > best.likeness) best = { start, count, likeness };
  }
  return best && best.likeness >= LIKENESS_SHOWN ? best : undefined;
}

/** Starts worth comparing: where known lines vote for, else where one line is alike. */
function candidateStarts(file: readonly string[], wanted: readonly string[]): number[] {
  const places = new Map<string, number[]>();
  wanted.forEach((line, i) => {
    if (line === "") return;
    const list = places.get(line);
    if (list && list.length < PLACES_OF_LINE) list.push(i);
    else if (!list) places.set(line, [i]);
  });
  const votes = new Uint32Array(file.length);
  file.forEach((line, at) => {
    for (const i of places.get(line) ?? []) {
      const start = Math.max(0, at - i);
      votes[start] = (votes[start] ?? 0) + 1;
    }
  });
  const elected = highest(votes);
  if (elected.length > 0) return elected;
  const probe = wanted.reduce((longest, line, i) => (line.length > (wanted[longest] ?? "").length ? i : longest), 0);
  const pairs = letterPairs(wanted[probe] ?? "");
  const scores = new Float64Array(file.length);
  let letters = 0;
  for (let at = 0; at < file.length && letters < LETTERS_COMPARED; at++) {
    const line = file[at] ?? "";
    letters += Math.min(line.length, LETTERS_OF_LINE) + 1;
    scores[at] = likeness(letterPairs(line), pairs);
  }
  return highest(scores).map((at) => Math.max(0, at - probe));
}

/** Indexes of the highest scores above 0, best first, the earlier of equal ones first. */
function highest(scores: Uint32Array | Float64Array): number[] {
  const best: number[] = [];
  const scoreOf = (index: number | undefined) => (index === undefined ? 0 : (scores[index] ?? 0));
  for (let index = 0; index < scores.length; index++) {
    const score = scoreOf(index);
    if (score === 0 || (best.length === CANDIDATES && score <= scoreOf(best.at(-1)))) continue;
    let rank = best.length;
    while (rank > 0 && scoreOf(best[rank - 1]) < score) rank--;
    best.splice(rank, 0, index);
    if (best.length > CANDIDATES) best.pop();
  }
  return best;
}

/** Mean likeness of the lines, weighted by their length. */
function regionLikeness(found: readonly string[], wanted: readonly string[]): number {
  let sum = 0;
  let weight = 0;
  wanted.forEach((line, i) => {
    const other = found[i] ?? "";
    const size = Math.max(line.length, other.length);
    sum += size * (line === other ? 1 : likeness(letterPairs(line), letterPairs(other)));
    weight += size;
  });
  return weight === 0 ? 0 : sum / weight;
}

/** Neighbouring letters of a line, as a multiset (Dice's coefficient). */
function letterPairs(line: string): Map<string, number> {
  const pairs = new Map<string, number>();
  const text = line.slice(0, LETTERS_OF_LINE);
  for (let i = 0; i + 1 < text.length; i++) {
    const pair = text.slice(i, i + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

function likeness(a: Map<string, number>, b: Map<string, number>): number {
  let total = 0;
  let shared = 0;
  for (const [pair, count] of a) {
    total += count;
    shared += Math.min(count, b.get(pair) ?? 0);
  }
  for (const count of b.values()) total += count;
  return total === 0 ? 0 : (2 * shared) / total;
}
