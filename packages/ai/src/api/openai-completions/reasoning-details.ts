import { isObject } from "../../json/objects.js";

/** The member that carries the text of an entry, for the kinds that are streamed in pieces. */
const TEXT_MEMBERS: Readonly<Record<string, string>> = {
  "reasoning.text": "text",
  "reasoning.summary": "summary",
};

/**
 * Collects OpenRouter's `reasoning_details`, which have to go back unchanged: pieces of one text or summary are put
 * together again, encrypted entries stay apart.
 */
export class ReasoningDetails {
  readonly #entries: Record<string, unknown>[] = [];

  add(details: readonly unknown[]): void {
    for (const detail of details) if (isObject(detail)) this.#addEntry(detail);
  }

  /** All entries as JSON; undefined when there are none. */
  signature(): string | undefined {
    return this.#entries.length > 0 ? JSON.stringify(this.#entries) : undefined;
  }

  #addEntry(detail: Record<string, unknown>): void {
    const member = TEXT_MEMBERS[String(detail["type"])];
    const last = this.#entries.at(-1);
    const continues = last && last["type"] === detail["type"] && last["index"] === detail["index"];
    if (member === undefined || !continues) {
      this.#entries.push({ ...detail });
      return;
    }
    const piece = detail[member];
    const before = last[member];
    Object.assign(last, detail);
    const text = (typeof before === "string" ? before : "") + (typeof piece === "string" ? piece : "");
    if (typeof before === "string" || typeof piece === "string") last[member] = text;
  }
}
