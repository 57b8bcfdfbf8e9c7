import type { ToolCall } from "../types.js";
import { JsonReader } from "./json-reader.js";
import { isObject } from "./objects.js";
import { parseJsonWithRepair } from "./repair-json.js";

/** Final arguments of a tool call. */
export interface ParsedToolCallArguments {
  arguments: ToolCall["arguments"];
  /** Why the text gave no arguments, for the model; `arguments` is empty then. */
  argumentsError?: string;
}

/**
 * The arguments in a complete arguments text: an object (after repair), `{}` for a blank text. A truncated text gives
 * no arguments at all, so that a tool never runs with half of what was meant. Source: llm.md section 8.
 */
export function parseToolCallArguments(text: string | undefined): ParsedToolCallArguments {
  if (text === undefined || text.trim() === "") return { arguments: {} };
  try {
    const value = parseJsonWithRepair(text);
    if (isObject(value)) return { arguments: value };
    return failed("Tool arguments must be a JSON object", text);
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error), text);
  }
}

function failed(message: string, text: string): ParsedToolCallArguments {
  return { arguments: {}, argumentsError: `${message}\n\nReceived arguments:\n${text}` };
}

/**
 * The arguments text of one tool call as it streams in, and the arguments so far. Each piece costs time in proportion
 * to its own length.
 *
 * ```ts
 * const stream = new ToolCallArgumentsStream();
 * block.arguments = stream.append('{"path":"a');  // {path: "a"}
 * Object.assign(block, stream.finish());          // {} and an argumentsError: the text is not complete
 * ```
 */
export class ToolCallArgumentsStream {
  #text = "";
  #reader = new JsonReader();

  /** Everything that arrived. */
  get text(): string {
    return this.#text;
  }

  /** Adds a piece and returns the arguments so far: a new object when they changed. */
  append(delta: string): ToolCall["arguments"] {
    this.#text += delta;
    this.#reader.append(delta);
    return this.#current();
  }

  /**
   * Makes `text` the whole text. `delta` is what it adds to the text so far; undefined when it adds nothing or is not
   * a continuation of it.
   */
  replace(text: string): { delta: string | undefined; arguments: ToolCall["arguments"] } {
    if (text.startsWith(this.#text)) {
      const delta = text.slice(this.#text.length);
      return { delta: delta || undefined, arguments: this.append(delta) };
    }
    this.#text = "";
    this.#reader = new JsonReader();
    return { delta: undefined, arguments: this.append(text) };
  }

  /** The final arguments. */
  finish(): ParsedToolCallArguments {
    return parseToolCallArguments(this.#text);
  }

  #empty: ToolCall["arguments"] = {};

  #current(): ToolCall["arguments"] {
    const value = this.#reader.value;
    return isObject(value) ? value : this.#empty;
  }
}
