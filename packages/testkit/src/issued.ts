import type { WireApi } from "./types.js";

/** `altered`: issued, but for another text. */
export type SignatureVerdict = "issued" | "altered" | "unknown";

const loneSurrogates = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** Clients drop unpaired surrogates when they send text back; providers never sent any. */
function comparable(text: string): string {
  return text.replace(loneSurrogates, "");
}

/**
 * What the server handed out and expects back unchanged: real providers verify signatures, so replaying a foreign one
 * or a changed text under a right one fails.
 */
export class IssuedLedger {
  readonly #acceptAny: boolean;
  readonly #accepted: Set<string>;
  /** Per API and signature: the texts it was issued for; `undefined` among them covers any text. */
  readonly #issued = new Map<string, Set<string | undefined>>();
  readonly #companions = new Map<string, string>();

  constructor(accept: readonly string[] | "any" = []) {
    this.#acceptAny = accept === "any";
    this.#accepted = new Set(accept === "any" ? [] : accept);
  }

  /** Notes a signature; with `text` only that text may come back under it. */
  issue(api: WireApi, signature: string, text?: string): void {
    const key = `${api} ${signature}`;
    const texts = this.#issued.get(key) ?? new Set();
    texts.add(text === undefined ? undefined : comparable(text));
    this.#issued.set(key, texts);
  }

  accept(signature: string): void {
    this.#accepted.add(signature);
  }

  verdict(api: WireApi, signature: string, text?: string): SignatureVerdict {
    if (this.#acceptAny || this.#accepted.has(signature)) return "issued";
    const texts = this.#issued.get(`${api} ${signature}`);
    if (texts === undefined) return "unknown";
    if (text === undefined || texts.has(undefined) || texts.has(comparable(text))) return "issued";
    return "altered";
  }

  /** Responses API: this output item may come back only behind its reasoning item. */
  bind(itemId: string, reasoningId: string): void {
    this.#companions.set(itemId, reasoningId);
  }

  companionOf(itemId: string): string | undefined {
    return this.#companions.get(itemId);
  }

  signatures(): string[] {
    return [...this.#issued.keys()].map((key) => key.slice(key.indexOf(" ") + 1));
  }
}
