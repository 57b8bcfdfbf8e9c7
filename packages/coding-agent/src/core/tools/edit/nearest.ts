/**
 * What to tell a model whose old text is not in the file: the closest region and how it differs. Never a guess that is
 * applied. Pure.
 */
import { splitLines } from "../truncate.js";

const LINES_SHOWN = 10;
/** Below this likeness (0..1) a region says nothing. */
const LIKENESS_SHOWN = 0.5;
/** Lines of the file compared letter by letter when no line of it is known. */
const LINES_COMPARED = 20_000;
const LINE_LENGTH_SHOWN = 200;

/** A region of the file: lines `[start, start + count)`, 0-based. */
interface Region {
  readonly start: number;
  readonly count: number;
}

/** Text to append to a not-found message, with its own separator; empty when nothing is close. */
export function describeNearest(content: string, oldText: string): string {
  if (content === "") return " The file is empty. Use write to give it content.";
  const literal = literalEscapes(content, oldText);
  if (literal) return ` ${literal}`;
  const fileLines = splitLines(content);
  const oldLines = trimEmptyLines(splitLines(oldText));
  const region = nearestRegion(fileLines, oldLines);
  if (!region) return "";
  const found = fileLines.slice(region.start, region.start + region.count);
  const kind = kindOfDifference(found.join("\n"), oldLines.join("\n"));
  return `${kind ? ` ${kind}` : ""}\n\nClosest text in the file:\n${numbered(found.slice(0, LINES_SHOWN), region.start)}`;
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
  if (unescaped === oldText || !content.includes(unescaped)) return undefined;
  const line = content.slice(0, content.indexOf(unescaped)).split("\n").length;
  return `The old text holds a literal \\n, \\t or escaped quote where the file has the character itself (line ${line}).`;
}

/** Names what, once ignored, makes the wanted text part of the found lines. */
export function kindOfDifference(found: string, wanted: string): string | undefined {
  const same = (...ignore: ((text: string) => string)[]) => {
    const view = (text: string) => ignore.reduce((seen, step) => step(seen), text);
    return view(found).includes(view(wanted));
  };
  if (same(ignoreTrailing)) return "The difference is in trailing whitespace.";
  const oneHasTabs = found.includes("\t") !== wanted.includes("\t");
  if (oneHasTabs && same(ignoreTrailing, ignoreTabs)) return "The difference is tabs against spaces.";
  if (same(ignoreIndent)) return "The difference is in indentation.";
  if (same(ignoreTrailing, ignoreCase)) return "The difference is in upper and lower case.";
  if (same(ignoreWhitespace)) return "The difference is in whitespace.";
  if (same(ignoreWhitespace, ignoreCase)) return "The difference is in whitespace and upper and lower case.";
  return undefined;
}

const eachLine = (change: (line: string) => string) => (text: string) => text.split("\n").map(change).join("\n");
const ignoreTrailing = eachLine((line) => line.trimEnd());
const ignoreIndent = eachLine((line) => line.trim());
/** A tab and a run of spaces are the same, whatever width a tab has. */
const ignoreTabs = (text: string) =>
  text.replace(/[\t ]+/g, (blanks) => (blanks.includes("\t") || blanks.length > 1 ? "\t" : " "));
const ignoreCase = (text: string) => text.toLowerCase();
const ignoreWhitespace = (text: string) => text.replace(/\s+/g, "");

/** A line as regions are compared: without whitespace and case. */
function squash(line: string): string {
  return line.replace(/\s+/g, "").toLowerCase();
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
    if (list) list.push(i);
    else places.set(line, [i]);
  });
  const votes = new Map<number, number>();
  file.forEach((line, at) => {
    for (const i of places.get(line) ?? []) {
      const start = Math.max(0, at - i);
      votes.set(start, (votes.get(start) ?? 0) + 1);
    }
  });
  if (votes.size > 0) {
    return [...votes]
      .sort((a, b) => b[1] - a[1] || a[0] - b[0])
      .slice(0, 20)
      .map(([start]) => start);
  }
  const probe = wanted.reduce((longest, line, i) => (line.length > (wanted[longest] ?? "").length ? i : longest), 0);
  const pairs = letterPairs(wanted[probe] ?? "");
  return file
    .slice(0, LINES_COMPARED)
    .map((line, at) => ({ at, likeness: likeness(letterPairs(line), pairs) }))
    .filter((candidate) => candidate.likeness > 0)
    .sort((a, b) => b.likeness - a.likeness || a.at - b.at)
    .slice(0, 20)
    .map(({ at }) => Math.max(0, at - probe));
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
  const text = line.slice(0, 1000);
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
