/** Where a text stops being JSON. The engine's own messages name no place in short texts, and quote what may be secret. */

export interface JsonProblem {
  /** From 1. */
  line: number;
  /** From 1, in characters. */
  column: number;
  /** What was expected there; quotes nothing. */
  reason: string;
}

/** The first problem of a text; undefined when it is JSON. */
export function jsonProblem(text: string): JsonProblem | undefined {
  const scanner = new Scanner(text);
  try {
    scanner.document();
    return undefined;
  } catch (error) {
    if (!(error instanceof Unexpected)) throw error;
    const before = text.slice(0, error.at);
    const line = before.split("\n").length;
    const column = [...before.slice(before.lastIndexOf("\n") + 1)].length + 1;
    return { line, column, reason: error.message };
  }
}

/** As text: `expected a comma or } at line 3, column 5`. */
export function jsonProblemText({ line, column, reason }: JsonProblem): string {
  return `${reason} at line ${line}, column ${column}`;
}

class Unexpected extends Error {
  constructor(
    readonly at: number,
    reason: string,
  ) {
    super(reason);
  }
}

const space = /[ \t\n\r]*/y;
const word = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** What may stand in a string up to its end, or to what may not. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows none in strings
const characters = /(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/y;

/** Goes through the values of a text; open ones are kept in a list, so that any depth can be read. */
class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** @throws Unexpected */
  document(): void {
    const open: ("{" | "[")[] = [];
    this.#valueOrOpening(open);
    while (open.length > 0) {
      const isObject = open.at(-1) === "{";
      const end = isObject ? "}" : "]";
      this.#skip(space);
      if (this.#take(end)) {
        open.pop();
        continue;
      }
      if (!this.#take(",")) this.#fail(`expected a comma or ${end}`);
      if (isObject) this.#name();
      this.#valueOrOpening(open);
    }
    this.#skip(space);
    if (this.#at < this.#text.length) this.#fail("expected nothing more");
  }

  /** A whole value, an empty list or object; or the beginning of one that has members, up to its first whole one. */
  #valueOrOpening(open: ("{" | "[")[]): void {
    for (;;) {
      this.#skip(space);
      if (this.#take("{")) {
        this.#skip(space);
        if (this.#take("}")) return;
        open.push("{");
        this.#name();
      } else if (this.#take("[")) {
        this.#skip(space);
        if (this.#take("]")) return;
        open.push("[");
      } else {
        if (this.#text[this.#at] === '"') this.#string();
        else if (!this.#skip(word)) this.#fail("expected a value");
        return;
      }
    }
  }

  #name(): void {
    this.#skip(space);
    if (this.#text[this.#at] !== '"') this.#fail("expected a name in double quotes");
    this.#string();
    this.#skip(space);
    if (!this.#take(":")) this.#fail("expected a colon");
  }

  #string(): void {
    this.#at++;
    this.#skip(characters);
    if (!this.#take('"')) this.#fail('expected the " that ends a text');
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  /** Whether there was anything. */
  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return false;
    this.#at = pattern.lastIndex;
    return true;
  }

  #fail(reason: string): never {
    throw new Unexpected(this.#at, this.#at < this.#text.length ? reason : `${reason}, but the text ends`);
  }
}
