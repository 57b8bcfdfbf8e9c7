import { splitGraphemes } from "../text/grapheme-width.js";
import type { AtomicRanges } from "./words.js";

export interface Position {
  readonly line: number;
  /** UTF-16 units. */
  readonly col: number;
}

export interface TextSnapshot {
  readonly lines: readonly string[];
  readonly cursor: Position;
  readonly pastes: ReadonlyMap<number, string>;
}

const MARKER = /\[paste #(\d+) (?:\+\d+ lines|\d+ chars)\]/g;

/** Text in lines with a cursor. Long pastes stand in it as markers, which are one character to every operation. */
export class TextModel {
  lines: string[] = [""];
  cursor: Position = { line: 0, col: 0 };
  private pastes = new Map<number, string>();

  get line(): string {
    return this.lines[this.cursor.line] ?? "";
  }

  get text(): string {
    return this.lines.join("\n");
  }

  /** The text with what was pasted in the place of its markers. */
  get expanded(): string {
    return this.expand(this.text);
  }

  expand(text: string): string {
    if (this.pastes.size === 0) return text;
    return text.replace(MARKER, (marker, id) => this.pastes.get(Number(id)) ?? marker);
  }

  /** Replaces everything; the cursor goes to the end. */
  setText(text: string): void {
    this.lines = text.split("\n");
    this.pastes = new Map();
    this.moveToEnd();
  }

  moveToEnd(): void {
    const line = this.lines.length - 1;
    this.cursor = { line, col: this.lines[line]?.length ?? 0 };
  }

  snapshot(): TextSnapshot {
    return { lines: [...this.lines], cursor: this.cursor, pastes: new Map(this.pastes) };
  }

  restore({ lines, cursor, pastes }: TextSnapshot): void {
    this.lines = [...lines];
    this.cursor = cursor;
    this.pastes = new Map(pastes);
  }

  /** Inserts at the cursor and goes behind it. */
  insert(text: string): void {
    const { line, col } = this.cursor;
    const parts = text.split("\n");
    const before = this.line.slice(0, col);
    const after = this.line.slice(col);
    const last = parts.length - 1;
    const end = (last === 0 ? before.length : 0) + (parts[last]?.length ?? 0);
    parts[0] = before + (parts[0] ?? "");
    parts[last] += after;
    this.lines.splice(line, 1, ...parts);
    this.cursor = { line: line + last, col: end };
  }

  /** Inserts a marker that stands for a long text. */
  insertPaste(content: string): void {
    const id = this.pastes.size + 1;
    const lines = content.split("\n").length;
    this.pastes.set(id, content);
    this.insert(lines > MARKER_LINES ? `[paste #${id} +${lines} lines]` : `[paste #${id} ${content.length} chars]`);
  }

  /** Removes the text between two positions, puts the cursor there, and returns what was removed, markers expanded. */
  remove(from: Position, to: Position): string {
    const removed = this.textBetween(from, to);
    const start = (this.lines[from.line] ?? "").slice(0, from.col);
    const end = (this.lines[to.line] ?? "").slice(to.col);
    this.lines.splice(from.line, to.line - from.line + 1, start + end);
    this.cursor = from;
    const expanded = this.expand(removed);
    this.forgetGonePastes();
    return expanded;
  }

  textBetween(from: Position, to: Position): string {
    if (from.line === to.line) return (this.lines[from.line] ?? "").slice(from.col, to.col);
    return [
      (this.lines[from.line] ?? "").slice(from.col),
      ...this.lines.slice(from.line + 1, to.line),
      (this.lines[to.line] ?? "").slice(0, to.col),
    ].join("\n");
  }

  /** Markers of a line that stand for a paste. */
  markers(line: string): AtomicRanges {
    if (this.pastes.size === 0) return [];
    return [...line.matchAll(MARKER)]
      .filter((match) => this.pastes.has(Number(match[1])))
      .map((match) => ({ start: match.index, end: match.index + match[0].length }));
  }

  /** The position one character before; the end of the line before at a line's start. */
  before({ line, col }: Position): Position {
    const text = this.lines[line] ?? "";
    if (col === 0) return line === 0 ? { line, col } : { line: line - 1, col: this.lines[line - 1]?.length ?? 0 };
    const marker = this.markers(text).find(({ start, end }) => start < col && col <= end);
    return { line, col: marker?.start ?? col - (splitGraphemes(text.slice(0, col)).at(-1)?.length ?? 1) };
  }

  /** The position one character behind; the start of the next line at a line's end. */
  after({ line, col }: Position): Position {
    const text = this.lines[line] ?? "";
    if (col >= text.length) return line + 1 < this.lines.length ? { line: line + 1, col: 0 } : { line, col };
    const marker = this.markers(text).find(({ start, end }) => start <= col && col < end);
    return { line, col: marker?.end ?? col + (splitGraphemes(text.slice(col))[0]?.length ?? 1) };
  }

  /** Numbers go on without gaps, so that the number of a marker says how many pastes there are. */
  private forgetGonePastes(): void {
    if (this.pastes.size === 0) return;
    const present = new Set([...this.text.matchAll(MARKER)].map((match) => Number(match[1])));
    const kept = [...this.pastes].filter(([id]) => present.has(id)).sort(([a], [b]) => a - b);
    if (kept.length === this.pastes.size) return;
    const renumbered = new Map(kept.map(([id], at) => [id, at + 1]));
    const rename = (text: string) =>
      text.replace(MARKER, (marker, id) => {
        const next = renumbered.get(Number(id));
        return next === undefined ? marker : marker.replace(`#${id}`, `#${next}`);
      });
    const before = (this.lines[this.cursor.line] ?? "").slice(0, this.cursor.col);
    this.lines = this.lines.map(rename);
    this.cursor = { line: this.cursor.line, col: rename(before).length };
    this.pastes = new Map(kept.map(([, content], at) => [at + 1, content]));
  }
}

/** Longer pastes become markers. */
export const MARKER_LINES = 10;
export const MARKER_CHARS = 1000;
