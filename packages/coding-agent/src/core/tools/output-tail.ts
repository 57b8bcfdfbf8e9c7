/**
 * The end of a growing text in bounded memory, as UTF-8: a model never sees more than the end of a long output.
 */

const NEWLINE = 0x0a;
const FIRST_CAPACITY = 4096;
/** Pieces from this size on, and what follows them, are not copied until they are asked for: most never are. */
const LARGE_PIECE = 8192;
/** So many small ones are worth the copy. */
const MAX_PIECES = 64;

export class OutputTail {
  private bytes = Buffer.allocUnsafe(FIRST_CAPACITY);
  private length = 0;
  private beginsInLine = false;
  /** What follows the bytes. */
  private pieces: Buffer[] = [];
  private piecesLength = 0;

  /** @param keep at least this many of the last bytes are kept, at most twice as many and a large piece */
  constructor(private readonly keep: number) {}

  /** Bytes that are kept. */
  get size(): number {
    return this.length + this.piecesLength;
  }

  /** Adds clean UTF-8: whole characters. */
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

  /** Forgets the line that is being written. */
  restartLine(): void {
    this.takePieces();
    const lineStart = this.bytes.subarray(0, this.length).lastIndexOf(NEWLINE) + 1;
    this.length = lineStart;
    if (lineStart === 0) this.beginsInLine = false;
  }

  /**
   * The last bytes as text, without the part of a line they may begin with, unless that is all there is.
   *
   * @param max bytes, at most `keep`
   */
  end(max: number): string {
    this.takePieces();
    const kept = this.bytes.subarray(0, this.length);
    const start = characterStart(kept, Math.max(0, kept.length - max));
    const inLine = start === 0 ? this.beginsInLine : kept[start - 1] !== NEWLINE;
    if (!inLine) return kept.toString("utf8", start);
    const newline = kept.indexOf(NEWLINE, start);
    const isAll = newline === -1 || newline === kept.length - 1;
    return kept.toString("utf8", isAll ? start : newline + 1);
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
