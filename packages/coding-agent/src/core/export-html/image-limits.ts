/** Which images a page takes along: one that weighs more than its session's text helps nobody. */
export interface ImageLimits {
  /** Most base64 characters of one image. */
  perImage: number;
  /** Most base64 characters of all images together. */
  total: number;
}

export const DEFAULT_IMAGE_LIMITS: ImageLimits = { perImage: 10 << 20, total: 100 << 20 };

/** Leaves images out of entries once they are too large, and counts them. */
export class ImageFilter {
  readonly #limits: ImageLimits;
  #total = 0;
  #leftOut = 0;

  constructor(limits: ImageLimits) {
    this.#limits = limits;
  }

  /** How many images are not in the page. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /** Empties the data of images of a parsed entry that are too large. Returns whether there were any. */
  apply(entry: unknown): boolean {
    const before = this.#leftOut;
    for (const content of contentsOf(entry)) {
      if (Array.isArray(content)) for (const block of content) this.#check(block);
    }
    return this.#leftOut > before;
  }

  #check(block: unknown): void {
    if (!isRecord(block) || block["type"] !== "image" || typeof block["data"] !== "string") return;
    const { length } = block["data"];
    if (length <= this.#limits.perImage && this.#total + length <= this.#limits.total) {
      this.#total += length;
      return;
    }
    this.#leftOut++;
    block["data"] = "";
    block["leftOut"] = length;
  }
}

/** Where entries have content: messages, custom messages, replacements of context edits. */
function contentsOf(entry: unknown): unknown[] {
  if (!isRecord(entry)) return [];
  return [entry, entry["message"], entry["replacement"]].map((part) => (isRecord(part) ? part["content"] : undefined));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
