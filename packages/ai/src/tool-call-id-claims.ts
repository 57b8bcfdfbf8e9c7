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
    const [given, item] = halves(id);
    let call = given;
    for (let attempt = 1; call === "" || this.#calls.has(call); attempt++) call = make(attempt);
    this.#calls.add(call);
    return this.#withItem(call, item);
  }

  /**
   * The id of a call that has `claimed` for the server's id `given`, now that the server calls it `id`: halves that are
   * the same as before, or empty, stay.
   */
  change(claimed: string, given: string, id: string, make: (attempt: number) => string): string {
    const [oldCall, oldItem] = halves(given);
    const [call, item] = halves(id);
    if (call !== "" && call !== oldCall) return this.claim(id, make);
    return item === "" || item === oldItem ? claimed : this.#withItem(halves(claimed)[0], item);
  }

  #withItem(call: string, item: string): string {
    if (item === "" || this.#items.has(item)) return call;
    this.#items.add(item);
    return `${call}|${item}`;
  }
}

function halves(id: string): [call: string, item: string] {
  const bar = id.indexOf("|");
  return bar < 0 ? [id, ""] : [id.slice(0, bar), id.slice(bar + 1)];
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
