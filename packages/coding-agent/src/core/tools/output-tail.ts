/**
 * The end of a growing text in bounded memory, as UTF-8: a model never sees more than the end of a long output.
 */

const NEWLINE = 0x0a;
const FIRST_CAPACITY = 4096;
/** Pieces from this size on, and what follows them, are not copied until they are asked for: most never are. */
const LARGE_PIECE = 8192;
/** So many small ones are worth the copy. */
const MAX_PIECES = 64;

/**
 * Finished lines, and the line that is being written: that one may be overwritten, however long it has become, and then
 * the lines before it are shown.
 */
export class OutputTail {
  private readonly lines: TailBytes;
  private readonly line: TailBytes;

  /** @param keep at least this many of the last bytes are kept, and at most a few times as many */
  constructor(keep: number) {
    this.lines = new TailBytes(keep);
    this.line = new TailBytes(keep);
  }

  /** Bytes that are kept. */
  get size(): number {
    return this.lines.size + this.line.size;
  }

  /** Adds clean UTF-8: whole characters. */
  push(piece: Buffer): void {
    const lineStart = piece.lastIndexOf(NEWLINE) + 1;
    if (lineStart > 0) {
      this.line.moveTo(this.lines);
      this.lines.push(piece.subarray(0, lineStart));
    }
    this.line.push(piece.subarray(lineStart));
  }

  /** Forgets the line that is being written. */
  restartLine(): void {
    this.line.clear();
  }

  /**
   * The last bytes as text, without the part of a line they may begin with, unless that is all there is.
   *
   * @param max bytes, at most `keep`
   */
  end(max: number): string {
    const { kept, inLine } = this.last(max);
    if (!inLine) return kept.toString();
    const newline = kept.indexOf(NEWLINE);
    const isAll = newline === -1 || newline === kept.length - 1;
    return kept.toString("utf8", isAll ? 0 : newline + 1);
  }

  private last(max: number): { kept: Buffer; inLine: boolean } {
    const line = this.line.contents();
    if (this.line.beginsInLine || line.length >= max) {
      const start = characterStart(line, Math.max(0, line.length - max));
      return { kept: line.subarray(start), inLine: start > 0 || this.line.beginsInLine };
    }
    const lines = this.lines.contents();
    const start = characterStart(lines, Math.max(0, lines.length - (max - line.length)));
    const inLine = start === 0 ? this.lines.beginsInLine : lines[start - 1] !== NEWLINE;
    return { kept: Buffer.concat([lines.subarray(start), line]), inLine };
  }
}

/** The last of the bytes that were pushed. */
class TailBytes {
  /** The first kept byte is not the first of its line. */
  beginsInLine = false;
  private bytes = Buffer.allocUnsafe(FIRST_CAPACITY);
  private length = 0;
  /** What follows the bytes. */
  private pieces: Buffer[] = [];
  private piecesLength = 0;

  constructor(private readonly keep: number) {}

  get size(): number {
    return this.length + this.piecesLength;
  }

  push(piece: Buffer): void {
    if (piece.length === 0) return;
    if (piece.length < LARGE_PIECE && this.pieces.length === 0) {
      this.take(piece);
      return;
    }
    if (this.pieces.length >= MAX_PIECES) this.takePieces();
    this.pieces.push(piece);
    this.piecesLength += piece.length;
    for (let first = this.pieces[0]; first && this.piecesLength - first.length >= this.keep; first = this.pieces[0]) {
      this.pieces.shift();
      this.piecesLength -= first.length;
      this.length = 0;
      this.beginsInLine = first.at(-1) !== NEWLINE;
    }
  }

  clear(): void {
    this.length = 0;
    this.pieces = [];
    this.piecesLength = 0;
    this.beginsInLine = false;
  }

  /** What is kept; it stays as it is until the next change. */
  contents(): Buffer {
    this.takePieces();
    return this.bytes.subarray(0, this.length);
  }

  /** Puts what is kept behind what another one keeps, and forgets it. */
  moveTo(other: TailBytes): void {
    if (this.size === 0) return;
    const isCut = this.beginsInLine;
    if (isCut) other.clear();
    other.push(Buffer.from(this.contents()));
    if (isCut) other.beginsInLine = true;
    this.clear();
  }

  private takePieces(): void {
    for (const piece of this.pieces) this.take(piece);
    this.pieces = [];
    this.piecesLength = 0;
  }

  private take(piece: Buffer): void {
    if (piece.length >= this.keep) {
      const cut = characterStart(piece, piece.length - this.keep);
      if (this.length > 0 || cut > 0) this.beginsInLine = this.endsInLine(piece, cut);
      this.length = 0;
      this.put(piece.subarray(cut));
      return;
    }
    if (this.length + piece.length > 2 * this.keep) this.dropStart();
    this.put(piece);
  }

  /** Whether a piece that is kept from `cut` on begins inside a line. */
  private endsInLine(piece: Buffer, cut: number): boolean {
    if (cut > 0) return piece[cut - 1] !== NEWLINE;
    return this.length > 0 ? this.bytes[this.length - 1] !== NEWLINE : this.beginsInLine;
  }

  private dropStart(): void {
    const cut = characterStart(this.bytes, Math.max(0, this.length - this.keep));
    if (cut === 0) return;
    this.beginsInLine = this.bytes[cut - 1] !== NEWLINE;
    this.bytes.copyWithin(0, cut, this.length);
    this.length -= cut;
  }

  private put(piece: Buffer): void {
    const needed = this.length + piece.length;
    if (needed > this.bytes.length) {
      const larger = Buffer.allocUnsafe(Math.min(2 * this.keep, Math.max(needed, 2 * this.bytes.length)));
      this.bytes.copy(larger, 0, 0, this.length);
      this.bytes = larger;
    }
    piece.copy(this.bytes, this.length);
    this.length = needed;
  }
}

/** The first start of a character at or behind a place. */
function characterStart(bytes: Buffer, at: number): number {
  let start = at;
  while (start > 0 && start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return start;
}
