import type { HttpResponse } from "../http.js";

/** Enough to get past the head of a page. */
const KEPT_BYTES = 16 * 1024;
const SHOWN_LENGTH = 200;

/**
 * Keeps the beginning of a body that is read, to say what came when it was no event stream: the page of a proxy or of a
 * login, or an error as JSON.
 */
export class BodyBeginning {
  readonly #response: HttpResponse;
  readonly #pieces: Uint8Array[] = [];
  #size = 0;

  constructor(response: HttpResponse) {
    this.#response = response;
  }

  async read(): Promise<Uint8Array | undefined> {
    const piece = await this.#response.read();
    if (piece !== undefined && this.#size < KEPT_BYTES) {
      this.#pieces.push(piece.slice(0, KEPT_BYTES - this.#size));
      this.#size += piece.length;
    }
    return piece;
  }

  /** What came in place of events; undefined when it may have been a stream that only ended too early. */
  description(): string | undefined {
    const type = oneLine(this.#response.headers["content-type"] ?? "");
    const text = oneLine(withoutMarkup(Buffer.concat(this.#pieces).toString("utf8"), type));
    if (text === "" && /^text\/event-stream\b/i.test(type)) return undefined;
    const what = text === "" ? "with an empty body" : `that begins: ${shortened(text)}`;
    return `the response is no event stream but ${type || "of no content type"} ${what}`;
  }
}

/** A page says most in its title and its text. */
function withoutMarkup(text: string, type: string): string {
  if (!/html|xml/i.test(type) && !/^\s*</.test(text)) return text;
  const plain = text
    .replace(/<!--[\s\S]*?(?:-->|$)/g, " ")
    .replace(/<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, " ")
    .replace(/<[^>]*(?:>|$)/g, " ");
  return plain.trim() === "" ? text : plain;
}

/** Without line breaks and control characters, which do things to a terminal. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim();
}

function shortened(text: string): string {
  const characters = Array.from(text.slice(0, 2 * SHOWN_LENGTH));
  const isWhole = characters.length <= SHOWN_LENGTH && text.length <= 2 * SHOWN_LENGTH;
  return isWhole ? text : `${characters.slice(0, SHOWN_LENGTH).join("")}…`;
}
