/**
 * Ids of tool calls that differ from each other. An id may have two halves, `callId|itemId`: providers that know item
 * ids refuse requests that repeat either.
 */
export class ToolCallIdClaims {
  readonly #calls = new Set<string>();
  readonly #items = new Set<string>();

  /**
   * The id as it is, when nothing is wrong with it. An empty or repeated call half is replaced by what `make` gives;
   * a repeated item half is left out: calls do not need it.
   * @param make a new id at each attempt, counted from 1
   */
  claim(id: string, make: (attempt: number) => string): string {
    const bar = id.indexOf("|");
    let call = bar < 0 ? id : id.slice(0, bar);
    for (let attempt = 1; call === "" || this.#calls.has(call); attempt++) call = make(attempt);
    this.#calls.add(call);
    const item = bar < 0 ? "" : id.slice(bar + 1);
    if (item === "" || this.#items.has(item)) return call;
    this.#items.add(item);
    return `${call}|${item}`;
  }
}

/** The narrowest limit of all APIs. */
const ID_LIMIT = 40;

/** Makes ids of calls unique in the process. */
let madeIds = 0;

/** A new id in the form that nearly all APIs take: `<name>_<ms>_<counter>`. Source: llm-wire.md section 7. */
export function freshToolCallId(name: string): string {
  const end = `_${Date.now()}_${++madeIds}`;
  const start = name.replace(/[^a-zA-Z0-9_-]/g, "_") || "call";
  return start.slice(0, ID_LIMIT - end.length) + end;
}
