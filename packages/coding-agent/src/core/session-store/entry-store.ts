import type { AppendLog } from "../storage/append-log.js";
import { scanLines } from "../storage/scan-lines.js";
import type { FileEntry, SessionEntry, SessionHeader } from "./entries.js";
import { EntryCache } from "./entry-cache.js";
import { EntryIndex, NOT_IN_FILE } from "./entry-index.js";
import type { LineFacts } from "./line-facts.js";
import { LineReader } from "./line-reader.js";
import { isSessionHeader, parseLine } from "./parse.js";
import { InvalidSessionError } from "./session-errors.js";
import { lineFeed, lineOf, type StoredEntry, storedEntry } from "./stored-entry.js";
import { TotalsCounter } from "./totals.js";

/** Bytes at the end of a file that are no whole line: a write that was cut off. */
export interface TornTail {
  offset: number;
  length: number;
}

/**
 * The entries of a session: their index in memory, their bodies in the file, or in memory where there is none yet.
 * Never holds the whole file.
 */
export class EntryStore {
  readonly index = new EntryIndex();
  readonly totals = new TotalsCounter();
  readonly #reader = new LineReader();
  readonly #cache = new EntryCache();
  /** Lines that are in no file. */
  readonly #held = new Map<number, Buffer>();
  #log: AppendLog | undefined;
  #header: SessionHeader | undefined;
  #duplicates: string[] = [];
  #problems: string[] = [];
  #nameless = 0;
  #leftOutLines = 0;
  readonly #damaged = new Set<number>();
  tornTail: TornTail | undefined;

  get log(): AppendLog | undefined {
    return this.#log;
  }

  /** Lines of the file that are no entries here: broken, without an id, or with one that is taken. */
  get leftOutLines(): number {
    return this.#leftOutLines;
  }

  /** The first line, when a file was read. */
  get header(): SessionHeader | undefined {
    return this.#header;
  }

  /**
   * Reads the index of a file.
   * @throws `Session file is not a valid pi session: <path>` when the first line that parses is no header
   */
  read(log: AppendLog): void {
    this.#log = log;
    this.absorb(0, log.size);
  }

  /** Takes over the lines between two places of the file. */
  absorb(from: number, to: number): void {
    const log = this.#log;
    if (!log) return;
    const readInto = (buffer: Buffer, offset: number) => log.readInto(buffer, offset);
    const tail = scanLines(readInto, from, to, (bytes, at, end, offset) => this.#take(bytes, at, end, offset));
    this.tornTail = undefined;
    if (tail < to) this.#takeTail(log.read(tail, to - tail), tail);
    this.settle();
  }

  /** Puts entries right whose place in the tree is none; what was done is among the problems. */
  settle(): void {
    const { orphans, circles } = this.index.settle();
    for (const id of [...orphans, ...circles]) this.#cache.delete(this.index.find(id) ?? 0);
    this.#note(orphans, "point to an entry that is missing; they follow the entry before them in the file");
    this.#note(circles, "lead back to themselves; they are roots now");
    this.#note(this.#duplicates, "have an id that is taken; they are left out");
    this.#duplicates = [];
    if (this.#nameless === 0) return;
    this.#problems.push(
      `Entries without an id, or with one that is no text: ${this.#nameless}. They are left out; their lines stay as they are`,
    );
    this.#nameless = 0;
  }

  /** What was wrong with the lines, in words; each is told once. */
  takeProblems(): string[] {
    const problems = this.#problems;
    this.#problems = [];
    return problems;
  }

  /**
   * Writes one entry behind the others, or keeps it where there is no file.
   * @throws what the operating system says; there is no such entry then
   */
  append(stored: StoredEntry): void {
    const log = this.#log;
    if (!log) {
      this.#add(stored, NOT_IN_FILE);
      return;
    }
    const before = log.size;
    const offset = log.append(Buffer.concat([stored.line, lineFeed]));
    if (offset !== undefined) this.#add(stored, offset);
    // A program that knows no locks wrote at the same time: both lines are read from the file.
    else this.absorb(before, log.size);
  }

  /** Keeps an entry in memory that could not be written. */
  keep(stored: StoredEntry): void {
    this.#add(stored, NOT_IN_FILE);
  }

  /** Numbers of the entries that are in no file, in their order. */
  held(): number[] {
    return [...this.#held.keys()];
  }

  /**
   * Writes what is in memory only behind what is in the file, in its order.
   * @throws what the operating system says; what was not written is still held then
   */
  saveHeld(): void {
    const log = this.#log;
    if (!log) return;
    for (const [at, line] of this.#held) {
      const before = log.size;
      const offset = log.append(Buffer.concat([line, lineFeed]));
      if (offset !== undefined) this.#release(at, offset);
      // As in `append`: the line is found among the others.
      else this.absorb(before, log.size);
    }
  }

  #release(at: number, offset: number): void {
    this.index.place(at, offset);
    this.#held.delete(at);
  }

  /** Keeps an entry in memory. What has no id can be nobody's parent or leaf: it is left out. */
  hold(entry: unknown): void {
    const stored = storedEntry(entry);
    // Read again when it is asked for: it may not have found its place in the tree yet.
    if (stored) this.#insert(stored.facts, NOT_IN_FILE, stored.line);
  }

  /** Lets the lines in memory go: they are in this file now, behind this header, and one more. */
  moveTo(log: AppendLog, header: SessionHeader, last: StoredEntry | undefined): void {
    this.#log = log;
    this.#header = header;
    let offset = lineOf(header).length;
    for (let at = 0; at < this.index.count; at++) {
      this.index.place(at, offset);
      offset += this.index.length(at) + 1;
    }
    if (last) this.#add(last, offset);
    this.#held.clear();
  }

  /** Keeps a line in memory as it is. */
  holdLine(line: Buffer): void {
    const facts = this.#reader.read(line, 0, line.length);
    if (facts) this.#insert(facts, NOT_IN_FILE, line);
    else this.#noteNameless(line, 0, line.length);
  }

  /** All lines as stored, in their order. */
  *lines(): Generator<Buffer, void> {
    for (let at = 0; at < this.index.count; at++) yield this.line(at);
  }

  /** Writes the header that the file lacks. */
  appendHeader(header: SessionHeader): void {
    this.#log?.append(lineOf(header));
    this.#header = header;
  }

  /** Goes on in a file with the same bytes. */
  continueIn(log: AppendLog): void {
    this.#log = log;
  }

  /** The entry, parsed. One whose line turns out to be broken is a stand-in of type `damaged`. */
  entry(at: number): SessionEntry {
    const cached = this.#cache.get(at);
    if (cached) return cached;
    const entry = this.parse(at);
    this.#cache.set(at, entry, this.index.length(at));
    return entry;
  }

  /** As `entry`, without keeping it: for walks over everything. */
  parse(at: number): SessionEntry {
    return this.parsed(at, this.line(at));
  }

  /** As `entry`, from its line. */
  parsed(at: number, line: Buffer): SessionEntry {
    const entry = parseLine(line.toString("utf8")) as SessionEntry | undefined;
    if (!entry) return this.#standIn(at);
    if (this.index.isMoved(at)) entry.parentId = this.index.parentId(at);
    return entry;
  }

  /** Its line as stored, without the line feed. */
  line(at: number): Buffer {
    const offset = this.index.offset(at);
    if (offset !== NOT_IN_FILE && this.#log) return this.#log.read(offset, this.index.length(at));
    return this.#held.get(at) ?? Buffer.alloc(0);
  }

  /** Entries whose content is in memory now. */
  parsedEntries(): ReadonlyMap<number, { entry: SessionEntry }> {
    return this.#cache.all();
  }

  #add({ entry, facts, line }: StoredEntry, offset: number): void {
    const at = this.#insert(facts, offset, line);
    if (at !== undefined) this.#cache.set(at, entry, line.length);
  }

  #insert(facts: LineFacts, offset: number, line: Buffer): number | undefined {
    const at = this.#count(facts, offset, line.length);
    if (at !== undefined && offset === NOT_IN_FILE) this.#held.set(at, line);
    return at;
  }

  #count(facts: LineFacts, offset: number, length: number): number | undefined {
    const at = this.index.add(facts, offset, length);
    if (at !== undefined) this.totals.add(facts);
    else if (!this.#isHeldLine(facts.id, offset, length)) {
      this.#duplicates.push(facts.id);
      this.#leftOutLines++;
    }
    return at;
  }

  /** One that waited in memory is in the file now. */
  #isHeldLine(id: string, offset: number, length: number): boolean {
    const at = this.index.find(id);
    if (at === undefined || offset === NOT_IN_FILE || this.#held.get(at)?.length !== length) return false;
    this.#release(at, offset);
    return true;
  }

  /** Its line cannot be parsed, as far as anybody has tried. */
  isDamaged(at: number): boolean {
    return this.#damaged.has(at);
  }

  /** Its line is none that can be handed on: it was moved in the tree, or cannot be parsed. */
  isRewritten(at: number): boolean {
    return this.index.isMoved(at) || this.#damaged.has(at);
  }

  /** Keeps its place: what was said after it still follows what was said before. */
  #standIn(at: number): SessionEntry {
    if (!this.#damaged.has(at)) this.#note([this.index.id(at)], "cannot be parsed: damaged in the file");
    this.#damaged.add(at);
    const timestamp = new Date(this.index.time(at)).toISOString();
    const entry = { type: "damaged", id: this.index.id(at), parentId: this.index.parentId(at), timestamp };
    return entry as unknown as SessionEntry;
  }

  #takeTail(tail: Buffer, offset: number): void {
    // Only a parser tells a whole last line from one that broke off behind a bracket.
    if (parseLine(tail.toString("utf8"))) this.#take(tail, 0, tail.length, offset);
    else if (tail.toString("latin1").trim() !== "") this.tornTail = { offset, length: tail.length };
  }

  #take(bytes: Buffer, at: number, end: number, offset: number): void {
    if (!this.#header) {
      this.#takeHeader(parseLine(bytes.toString("utf8", at, end)));
      return;
    }
    const facts = this.#reader.read(bytes, at, end);
    if (facts) this.#count(facts, offset, end - at);
    else this.#noteNameless(bytes, at, end);
  }

  /** What nobody can refer to: no parent, no leaf. */
  #noteNameless(bytes: Buffer, at: number, end: number): void {
    const line = bytes.toString("utf8", at, end);
    const entry = parseLine(line);
    if (entry?.type === "session" || line.trim() === "") return;
    this.#leftOutLines++;
    if (entry) this.#nameless++;
  }

  #takeHeader(first: FileEntry | undefined): void {
    if (!first) return;
    if (!isSessionHeader(first)) throw new InvalidSessionError(this.#log?.path ?? "");
    this.#header = first;
  }

  #note(ids: readonly string[], what: string): void {
    if (ids.length === 0) return;
    const named = ids.slice(0, 3).join(", ");
    this.#problems.push(`Entries ${named}${ids.length > 3 ? ` and ${ids.length - 3} more` : ""} ${what}`);
  }
}
