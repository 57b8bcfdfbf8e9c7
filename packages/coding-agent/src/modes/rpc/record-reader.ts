import { StringDecoder } from "node:string_decoder";

/**
 * Splits bytes into records: one per LF, UTF-8, a CR before the LF does not belong to it. Nothing else separates:
 * U+2028 and U+2029 are ordinary characters. Takes time linear in the bytes, however they are cut into chunks.
 */
export class RecordReader {
  readonly #onRecord: (record: string) => void;
  readonly #decoder = new StringDecoder("utf8");
  /** Pieces of the record that has not ended yet. */
  #pieces: string[] = [];

  constructor(onRecord: (record: string) => void) {
    this.#onRecord = onRecord;
  }

  push(chunk: Uint8Array): void {
    const text = this.#decoder.write(chunk as Buffer);
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      this.#pieces.push(text.slice(start, end));
      this.#emit();
      start = end + 1;
    }
    if (start < text.length) this.#pieces.push(start === 0 ? text : text.slice(start));
  }

  /** A last record without its LF is one too. */
  end(): void {
    const rest = this.#decoder.end();
    if (rest !== "") this.#pieces.push(rest);
    if (this.#pieces.length > 0) this.#emit();
  }

  #emit(): void {
    const record = this.#pieces.length === 1 ? (this.#pieces[0] as string) : this.#pieces.join("");
    this.#pieces = [];
    this.#onRecord(record.endsWith("\r") ? record.slice(0, -1) : record);
  }
}
