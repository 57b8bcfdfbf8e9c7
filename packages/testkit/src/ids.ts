import { randomBytes } from "node:crypto";

/**
 * Identifiers that stay unique over several servers: a session that is resumed on a second server must not meet the
 * tool call ids of the first one again.
 */
export class IdSource {
  readonly #stem: string;
  #count = 0;

  constructor(stem: string = randomBytes(5).toString("hex")) {
    this.#stem = stem;
  }

  /** `prefix` and 18 characters of `[0-9a-f]`. */
  next(prefix: string): string {
    this.#count += 1;
    return `${prefix}${this.#stem}${this.#count.toString(16).padStart(8, "0")}`;
  }

  /** Valid base64 without padding surprises: 24 characters of payload. */
  nextSignature(): string {
    return Buffer.from(this.next("")).toString("base64");
  }
}
