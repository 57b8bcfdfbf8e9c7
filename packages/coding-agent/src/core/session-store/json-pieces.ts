const pieceSize = 256 << 10;

/** Joins small parts to pieces of a size that is worth a write. Pieces are never written to again. */
export class JsonPieces {
  #piece = Buffer.allocUnsafeSlow(pieceSize);
  #used = 0;
  #ready: Buffer[] = [];

  /** Whether there is a piece to hand on. */
  get hasPieces(): boolean {
    return this.#ready.length > 0;
  }

  /** ASCII where it is one character. */
  text(text: string): void {
    if (text.length === 1 && this.#used < pieceSize) {
      this.#piece[this.#used++] = text.charCodeAt(0);
      return;
    }
    // A UTF-16 unit takes three bytes at most.
    if (text.length * 3 > pieceSize - this.#used) {
      this.bytes(Buffer.from(text, "utf8"));
      return;
    }
    this.#used += this.#piece.write(text, this.#used, "utf8");
  }

  /** Copies the bytes. */
  bytes(bytes: Buffer): void {
    if (bytes.length > pieceSize - this.#used) this.#finishPiece();
    if (bytes.length > pieceSize) {
      this.#ready.push(Buffer.from(bytes));
      return;
    }
    bytes.copy(this.#piece, this.#used);
    this.#used += bytes.length;
  }

  /** Pieces that are complete. */
  take(): Buffer[] {
    const ready = this.#ready;
    this.#ready = [];
    return ready;
  }

  /** All that is left. */
  end(): Buffer[] {
    this.#finishPiece();
    return this.take();
  }

  #finishPiece(): void {
    if (this.#used === 0) return;
    this.#ready.push(this.#piece.subarray(0, this.#used));
    this.#piece = Buffer.allocUnsafeSlow(pieceSize);
    this.#used = 0;
  }
}
