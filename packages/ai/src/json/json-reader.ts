import type { JsonValue } from "../types.js";
import { setOwn } from "./objects.js";

/** Where in a JSON value: member names and item indexes from the root. */
export type JsonPath = readonly (string | number)[];

/** One step from an earlier partial value to a later one. */
export type JsonChange =
  | { kind: "set"; path: JsonPath; value: JsonValue }
  | { kind: "append"; path: JsonPath; text: string };

type Container = Record<string, unknown> | unknown[];

/** An object or array whose end has not arrived. */
interface Frame {
  container: Container;
  /** Name or index of the member that is being read. */
  key: string | number;
  size: number;
}

type State =
  | "value"
  | "itemOrEnd"
  | "keyOrEnd"
  | "key"
  | "colon"
  | "afterValue"
  | "string"
  | "keyString"
  | "literal"
  | "number"
  | "done"
  /** Text that is not JSON: what was read before it stays, the rest is ignored. */
  | "broken";

/** Containers are renewed on a change only within these limits, so that a change costs the same in any document. */
const MAX_RENEWED_DEPTH = 8;
const MAX_RENEWED_SIZE = 32;
/** Numbers longer than this are shown only when complete. */
const MAX_PARTIAL_NUMBER = 64;

const NUMBER_PREFIX = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/;
const LITERALS: Readonly<Record<string, [string, boolean | null]>> = {
  t: ["true", true],
  f: ["false", false],
  n: ["null", null],
};
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/**
 * Reads JSON that arrives in pieces and always knows the value so far, in time linear in the length of the text.
 *
 * Partial values: an unterminated string shows what arrived, half an escape is withheld, an unterminated literal
 * counts as complete, a member whose value has not begun is left out. Raw control characters and invalid escapes in
 * strings are taken literally, as `repairJson` would have it. Source: llm.md section 8.
 */
export class JsonReader {
  #state: State = "value";
  #root: unknown;
  readonly #frames: Frame[] = [];
  /** The literal or number that is being read, or the rest of a literal still to come. */
  #token = "";
  #string = "";
  /** Unfinished escape, from its backslash. */
  #escape = "";
  /** High surrogate that waits for its partner. */
  #highSurrogate = "";
  /** Length of the string that is already in the value; -1 when it is not in it at all. */
  #placedLength = -1;
  /** True when the open containers belong to the current piece, so that nobody has seen them. */
  #renewed = false;
  readonly #changes: JsonChange[] | undefined;

  /** @param changes receives every change; without it none are recorded */
  constructor(changes?: JsonChange[]) {
    this.#changes = changes;
  }

  /** The value so far; undefined before it has begun. A later piece leaves small containers of it as they are. */
  get value(): unknown {
    return this.#root;
  }

  append(text: string): void {
    this.#renewed = false;
    let index = 0;
    while (index < text.length) index = this.#step(text, index);
    if (this.#state === "string") this.#placeString();
    else if (this.#state === "number" && this.#token.length <= MAX_PARTIAL_NUMBER) this.#placeNumber();
  }

  /** Consumes at least one character, or changes the state so that the next step does. */
  #step(text: string, index: number): number {
    switch (this.#state) {
      case "string":
      case "keyString":
        return this.#readString(text, index);
      case "number":
        return this.#readNumber(text, index);
      case "literal":
        return this.#readLiteral(text, index);
      case "done":
      case "broken":
        return text.length;
      default:
        this.#readStructure(text.charAt(index));
        return index + 1;
    }
  }

  #readStructure(char: string): void {
    if (char === " " || char === "\n" || char === "\r" || char === "\t") return;
    const top = this.#frames.at(-1);
    switch (this.#state) {
      case "itemOrEnd":
        if (char === "]") this.#close();
        else this.#begin(char);
        return;
      case "value":
        this.#begin(char);
        return;
      case "keyOrEnd":
      case "key":
        if (char === '"') this.#beginString("keyString");
        else if (char === "}" && this.#state === "keyOrEnd") this.#close();
        else this.#state = "broken";
        return;
      case "colon":
        this.#state = char === ":" ? "value" : "broken";
        return;
      default:
        if (top === undefined) this.#state = "broken";
        else if (char === ",") this.#nextMember(top);
        else if (char === (Array.isArray(top.container) ? "]" : "}")) this.#close();
        else this.#state = "broken";
    }
  }

  #nextMember(top: Frame): void {
    if (typeof top.key === "number") {
      top.key++;
      this.#state = "value";
    } else {
      this.#state = "key";
    }
  }

  #begin(char: string): void {
    const literal = LITERALS[char];
    if (char === '"') {
      this.#placedLength = -1;
      this.#beginString("string");
    } else if (char === "{" || char === "[") {
      this.#open(char === "[" ? [] : {});
    } else if (literal) {
      this.#token = literal[0].slice(1);
      this.#state = "literal";
      this.#place(literal[1]);
    } else if (char === "-" || (char >= "0" && char <= "9")) {
      this.#token = char;
      this.#state = "number";
    } else {
      this.#state = "broken";
    }
  }

  #open(container: Container): void {
    this.#place(container);
    const isArray = Array.isArray(container);
    this.#frames.push({ container, key: isArray ? 0 : "", size: 0 });
    this.#state = isArray ? "itemOrEnd" : "keyOrEnd";
  }

  #close(): void {
    this.#frames.pop();
    this.#endValue();
  }

  #endValue(): void {
    this.#state = this.#frames.length === 0 ? "done" : "afterValue";
  }

  #beginString(state: "string" | "keyString"): void {
    this.#string = "";
    this.#escape = "";
    this.#highSurrogate = "";
    this.#state = state;
  }

  #readString(text: string, start: number): number {
    if (this.#escape !== "") return this.#readEscape(text, start);
    let index = start;
    for (; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code === 0x22 || code === 0x5c) break;
    }
    if (index > start) this.#addToString(text.slice(start, index));
    if (index === text.length) return index;
    if (text.charCodeAt(index) === 0x5c) this.#escape = "\\";
    else this.#endString();
    return index + 1;
  }

  #addToString(text: string): void {
    this.#string += this.#highSurrogate + text;
    this.#highSurrogate = "";
  }

  #endString(): void {
    this.#addToString("");
    if (this.#state === "string") {
      this.#placeString();
      this.#endValue();
      return;
    }
    const top = this.#frames.at(-1);
    if (top) top.key = this.#string;
    this.#state = "colon";
  }

  #readEscape(text: string, index: number): number {
    const char = text.charAt(index);
    if (this.#escape === "\\" && char !== "u") {
      this.#addToString(ESCAPES[char] ?? `\\${char}`);
      this.#escape = "";
      return index + 1;
    }
    if (this.#escape !== "\\" && !/[0-9a-fA-F]/.test(char)) {
      // No escape after all: its beginning is text, and this character may end the string.
      this.#addToString(this.#escape);
      this.#escape = "";
      return index;
    }
    this.#escape += char;
    if (this.#escape.length < 6) return index + 1;
    const unit = String.fromCharCode(Number.parseInt(this.#escape.slice(2), 16));
    this.#escape = "";
    if (unit >= "\ud800" && unit <= "\udbff") {
      this.#addToString("");
      this.#highSurrogate = unit;
    } else {
      this.#addToString(unit);
    }
    return index + 1;
  }

  #readNumber(text: string, start: number): number {
    let index = start;
    while (index < text.length && /[0-9.eE+-]/.test(text.charAt(index))) index++;
    this.#token += text.slice(start, index);
    if (index < text.length) {
      const complete = this.#placeNumber();
      if (complete) this.#endValue();
      else this.#state = "broken";
    }
    return index;
  }

  /** Shows the longest prefix that is a number; true when that is all of it. */
  #placeNumber(): boolean {
    const prefix = NUMBER_PREFIX.exec(this.#token)?.[0];
    if (prefix === undefined) return false;
    this.#place(Number(prefix));
    return prefix.length === this.#token.length;
  }

  #readLiteral(text: string, index: number): number {
    if (this.#token === "") this.#endValue();
    else if (text.charAt(index) !== this.#token.charAt(0)) this.#state = "broken";
    else {
      this.#token = this.#token.slice(1);
      if (this.#token === "") this.#endValue();
      return index + 1;
    }
    return index;
  }

  #placeString(): void {
    const value = this.#string;
    if (value.length === this.#placedLength) return;
    this.#put(value);
    if (this.#placedLength < 0) this.#changes?.push({ kind: "set", path: this.#path(), value });
    else this.#changes?.push({ kind: "append", path: this.#path(), text: value.slice(this.#placedLength) });
    this.#placedLength = value.length;
  }

  #place(value: unknown): void {
    this.#put(value);
    if (!this.#changes) return;
    // Open containers keep growing; a change must not grow with them.
    const shown = Array.isArray(value) ? [] : typeof value === "object" && value !== null ? {} : value;
    this.#changes.push({ kind: "set", path: this.#path(), value: shown as JsonValue });
  }

  #put(value: unknown): void {
    this.#renew();
    const top = this.#frames.at(-1);
    if (!top) {
      this.#root = value;
    } else if (Array.isArray(top.container)) {
      const index = Number(top.key);
      if (index >= top.size) top.size++;
      top.container[index] = value;
    } else {
      const key = String(top.key);
      if (!Object.hasOwn(top.container, key)) top.size++;
      setOwn(top.container, key, value);
    }
  }

  /** Before the first change of a piece: open containers that may have been handed out are replaced by copies. */
  #renew(): void {
    if (this.#renewed) return;
    this.#renewed = true;
    const depth = Math.min(this.#frames.length, MAX_RENEWED_DEPTH);
    for (let level = 0; level < depth; level++) {
      const frame = this.#frames[level];
      if (!frame || frame.size > MAX_RENEWED_SIZE) continue;
      frame.container = Array.isArray(frame.container) ? [...frame.container] : { ...frame.container };
      const parent = this.#frames[level - 1];
      if (!parent) this.#root = frame.container;
      else if (Array.isArray(parent.container)) parent.container[Number(parent.key)] = frame.container;
      else setOwn(parent.container, String(parent.key), frame.container);
    }
  }

  #path(): (string | number)[] {
    return this.#frames.map((frame) => frame.key);
  }
}
