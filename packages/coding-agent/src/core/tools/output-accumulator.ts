/**
 * The output of a command in bounded memory: its tail to show, all of it in a file once it is long.
 * Source: agent-and-tools.md section C.
 */
import { open as openFile } from "node:fs/promises";
import type { CleanPiece } from "./output-cleaning.js";
import { OutputTail } from "./output-tail.js";
import { countNewlines, countPlainNewlines } from "./plain-text.js";
import { TempLog } from "./temp-log.js";
import { DEFAULT_MAX_BYTES, DEFAULT_MAX_LINES, type TruncationResult, truncateTail } from "./truncate.js";

const NEWLINE = 0x0a;
/** More than the limit is looked at, so that a whole line of just that size, its newline and a cut character fit. */
const MARGIN = 8;

export interface OutputAccumulatorOptions {
  /** Default 2000. */
  maxLines?: number;
  /** Default 51200. */
  maxBytes?: number;
  /** Of the file name in the temporary directory, e.g. `pi-bash`. */
  tempFilePrefix: string;
  /** What is shown and counted instead of the decoded text; the file keeps the raw bytes. */
  cleaner?: { push(text: string): CleanPiece; readonly isWaiting: boolean };
}

export interface OutputSnapshot {
  /** The tail within the limits. */
  content: string;
  truncation: TruncationResult;
  fullOutputPath?: string;
}

export class OutputAccumulator {
  readonly maxLines: number;
  readonly maxBytes: number;
  private readonly decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  /** Bytes that are missing of the character the decoder holds the beginning of. */
  private missing = 0;
  private finished = false;
  /** Raw chunks, until the file has them. */
  private chunks: Buffer[] = [];
  private rawBytes = 0;
  private file: TempLog | undefined;

  private readonly tail: OutputTail;
  private newlines = 0;
  private textBytes = 0;
  private lineBytes = 0;
  private previousLineBytes = 0;

  constructor(private readonly options: OutputAccumulatorOptions) {
    this.maxLines = options.maxLines ?? DEFAULT_MAX_LINES;
    this.maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
    this.tail = new OutputTail(2 * this.maxBytes + MARGIN);
  }

  /** Why the full output could not be kept, if so. */
  get fileError(): Error | undefined {
    return this.file?.error;
  }

  /**
   * Takes the next chunk.
   *
   * @returns a promise while the file cannot take more; wait for it before the next chunk to keep memory bounded
   * @throws Error after `finish`
   */
  append(chunk: Buffer): Promise<void> | undefined {
    if (this.finished) throw new Error("Cannot append output after it was finished");
    this.rawBytes += chunk.length;
    this.show(chunk);
    if (this.file) return this.file.write(chunk);
    this.chunks.push(chunk);
    if (this.rawBytes > this.maxBytes || this.exceedsLimits()) this.persist();
    return undefined;
  }

  /** Ends the text; what the decoder still holds is part of it. */
  finish(): void {
    if (this.finished) return;
    this.finished = true;
    this.showText(this.decoder.decode());
    if (this.exceedsLimits()) this.persist();
  }

  /** Opens the file if it is not open, and returns its path; undefined when there can be none. */
  persist(): string | undefined {
    if (!this.file) {
      this.file = new TempLog(this.options.tempFilePrefix);
      for (const chunk of this.chunks) void this.file.write(chunk);
      this.chunks = [];
    }
    return this.file.error ? undefined : this.file.path;
  }

  /** Adds to the file only: output that came after the text was finished. */
  appendToFile(chunk: Buffer): Promise<void> | undefined {
    return this.file?.write(chunk);
  }

  /** What is shown of the output so far. */
  snapshot({ persistIfTruncated = false }: { persistIfTruncated?: boolean } = {}): OutputSnapshot {
    const totals = { totalLines: this.totalLines(), totalBytes: this.textBytes };
    const limits = { maxLines: this.maxLines, maxBytes: this.maxBytes };
    const truncation = truncateTail(this.tail.end(this.maxBytes + MARGIN), limits, totals);
    if (truncation.truncated && persistIfTruncated) this.persist();
    const path = this.file && !this.file.error ? this.file.path : undefined;
    return { content: truncation.content, truncation, ...(path !== undefined && { fullOutputPath: path }) };
  }

  /** UTF-8 bytes of the last line, whether or not a newline ended it. */
  getLastLineBytes(): number {
    return this.lineBytes > 0 || this.newlines === 0 ? this.lineBytes : this.previousLineBytes;
  }

  /** The raw output; of more than `max` bytes the first and last half, with a mark between. */
  async readFullOutput(max: number): Promise<string> {
    if (!this.file) return joinEnds(Buffer.concat(this.chunks), max);
    await this.file.flushed();
    if (this.file.error) return this.tail.end(Math.min(max, 2 * this.maxBytes));
    return readEnds(this.file.path, this.rawBytes, max);
  }

  /** Resolves when the file, if any, is written and closed. */
  async closeTempFile(): Promise<void> {
    await this.file?.close();
  }

  /** Removes the file: for output that was long only before it was cleaned, so that nobody was told of the file. */
  async removeTempFile(): Promise<void> {
    await this.file?.remove();
  }

  private show(chunk: Buffer): void {
    let rest = chunk;
    while (this.missing > 0 && rest.length > 0) {
      const next = rest.subarray(0, this.missing);
      this.missing = unfinishedCharacter(next)?.missing ?? this.missing - next.length;
      this.decode(next);
      rest = rest.subarray(next.length);
    }
    if (rest.length === 0) return;
    const unfinished = unfinishedCharacter(rest) ?? NO_CHARACTER;
    const whole = rest.subarray(0, rest.length - unfinished.present);
    const newlines = this.options.cleaner?.isWaiting ? undefined : countPlainNewlines(whole);
    if (newlines !== undefined) this.add(whole, newlines);
    else this.decode(whole);
    this.missing = unfinished.missing;
    if (unfinished.present > 0) this.decode(rest.subarray(whole.length));
  }

  private decode(bytes: Buffer): void {
    this.showText(this.decoder.decode(bytes, { stream: true }));
  }

  private showText(text: string): void {
    const piece = this.options.cleaner?.push(text) ?? { text, restartsLine: false };
    if (piece.restartsLine) this.restartLine();
    const bytes = Buffer.from(piece.text);
    this.add(bytes, countNewlines(bytes));
  }

  private restartLine(): void {
    this.textBytes -= this.lineBytes;
    this.lineBytes = 0;
    this.tail.restartLine();
  }

  /** @param text whole characters */
  private add(text: Buffer, newlines: number): void {
    this.tail.push(text);
    this.textBytes += text.length;
    this.newlines += newlines;
    if (newlines === 0) {
      this.lineBytes += text.length;
      return;
    }
    const last = text.lastIndexOf(NEWLINE);
    const before = newlines > 1 ? text.lastIndexOf(NEWLINE, last - 1) : -1;
    this.previousLineBytes = before === -1 ? this.lineBytes + last : last - before - 1;
    this.lineBytes = text.length - last - 1;
  }

  private totalLines(): number {
    return this.newlines + (this.lineBytes > 0 ? 1 : 0);
  }

  private exceedsLimits(): boolean {
    return this.totalLines() > this.maxLines || this.textBytes > this.maxBytes;
  }
}

function joinEnds(bytes: Buffer, max: number): string {
  if (bytes.length <= max) return bytes.toString();
  const half = Math.floor(max / 2);
  return joinParts(bytes.subarray(0, half), bytes.subarray(bytes.length - half), bytes.length - 2 * half);
}

async function readEnds(path: string, size: number, max: number): Promise<string> {
  const half = Math.floor(max / 2);
  const handle = await openFile(path, "r");
  try {
    const read = async (position: number, length: number) => {
      const buffer = Buffer.alloc(length);
      const { bytesRead } = await handle.read(buffer, 0, length, position);
      return buffer.subarray(0, bytesRead);
    };
    if (size <= max) return (await read(0, size)).toString();
    return joinParts(await read(0, half), await read(size - half, half), size - 2 * half);
  } finally {
    await handle.close();
  }
}

interface UnfinishedCharacter {
  /** Bytes that are there. */
  readonly present: number;
  readonly missing: number;
}

const NO_CHARACTER: UnfinishedCharacter = { present: 0, missing: 0 };

/** The character at the end by its first byte; undefined when that is not among the bytes that could be. */
function unfinishedCharacter(bytes: Buffer): UnfinishedCharacter | undefined {
  // At most three bytes back: the first byte of an unfinished character.
  for (let present = 1; present <= 3 && present <= bytes.length; present++) {
    const byte = bytes[bytes.length - present] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return size > present ? { present, missing: size - present } : NO_CHARACTER;
  }
  return undefined;
}

/** Both ends, cut at characters; what is cut off them counts as omitted. */
function joinParts(head: Buffer, tail: Buffer, between: number): string {
  const headEnd = head.length - (unfinishedCharacter(head)?.present ?? 0);
  let tailStart = 0;
  while (tailStart < 3 && ((tail[tailStart] ?? 0) & 0xc0) === 0x80) tailStart++;
  const omitted = between + (head.length - headEnd) + tailStart;
  return `${head.toString("utf8", 0, headEnd)}\n\n[... ${omitted} bytes omitted ...]\n\n${tail.toString("utf8", tailStart)}`;
}
