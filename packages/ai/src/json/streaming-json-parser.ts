import type { JsonValue } from "../types.js";
import { type JsonChange, JsonReader } from "./json-reader.js";
import { parseJsonWithRepair } from "./repair-json.js";

/**
 * Parses JSON that arrives in pieces and tells what each piece changed. Linear in the length of the text.
 *
 * ```ts
 * const parser = new StreamingJsonParser();
 * parser.append('{"path":"a');  // [{kind:"set",path:[],value:{}}, {kind:"set",path:["path"],value:"a"}]
 * parser.append('.txt');        // [{kind:"append",path:["path"],text:".txt"}]
 * parser.snapshot();            // {path: "a.txt"}
 * ```
 */
export class StreamingJsonParser {
  readonly #changes: JsonChange[] = [];
  readonly #reader = new JsonReader(this.#changes);

  /** Takes the next piece; the changes lead from the previous snapshot to the new one, in order. */
  append(text: string): readonly JsonChange[] {
    this.#reader.append(text);
    return this.#changes.splice(0);
  }

  /** The value so far; undefined before it has begun. */
  snapshot(): JsonValue | undefined {
    return this.#reader.value as JsonValue | undefined;
  }
}

/**
 * The best value that can be made of the beginning of a JSON text; `{}` when there is none. Never throws.
 * For a text that keeps growing use `StreamingJsonParser`, which does not start over each time.
 */
export function parseStreamingJson<T = unknown>(text: string | undefined): T {
  if (text === undefined || text.trim() === "") return {} as T;
  try {
    return parseJsonWithRepair<T>(text);
  } catch {
    const reader = new JsonReader();
    reader.append(text);
    return (reader.value ?? {}) as T;
  }
}
