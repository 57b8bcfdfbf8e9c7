/**
 * Patterns in ripgrep's syntax as JavaScript expressions, for machines where ripgrep does not run. Pure. What has no
 * counterpart is refused by name: a search must not quietly look for something else.
 */

const WORD = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}";
/** Escapes that stand for a set, by what goes into a bracket. */
const CLASSES: Readonly<Record<string, string>> = { d: "\\p{Nd}", w: WORD, s: "\\s" };
const POSIX: Readonly<Record<string, string>> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  ascii: "\\x00-\\x7f",
  blank: "\\t ",
  cntrl: "\\x00-\\x1f\\x7f",
  digit: "0-9",
  graph: "\\x21-\\x7e",
  lower: "a-z",
  print: "\\x20-\\x7e",
  punct: "\\x21-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e",
  space: "\\t\\n\\v\\f\\r ",
  upper: "A-Z",
  word: "0-9A-Za-z_",
  xdigit: "0-9A-Fa-f",
};
const ASSERTIONS: Readonly<Record<string, string>> = {
  A: "^",
  z: "$",
  b: `(?:(?<=[${WORD}])(?![${WORD}])|(?<![${WORD}])(?=[${WORD}]))`,
  B: `(?:(?<=[${WORD}])(?=[${WORD}])|(?<![${WORD}])(?![${WORD}]))`,
  "<": `(?<![${WORD}])(?=[${WORD}])`,
  ">": `(?<=[${WORD}])(?![${WORD}])`,
};
const CONTROLS: Readonly<Record<string, string>> = { a: "\\x07", f: "\\f", t: "\\t", r: "\\r", v: "\\v" };

/** Tests lines without their terminator. */
export interface LineMatcher {
  test(line: string): boolean;
}

/** @throws Error `regex parse error:...` */
export function compilePattern(pattern: string, options: { literal: boolean; ignoreCase: boolean }): LineMatcher {
  if (pattern.includes("\n")) throw new Error('the literal "\\n" is not allowed in a regex');
  const flags = `sv${options.ignoreCase ? "i" : ""}`;
  if (options.literal) return new RegExp(escapeLiteral(pattern), flags);
  const { source, ignoreCase } = new Translation(pattern).run();
  try {
    return new RegExp(source, ignoreCase && !options.ignoreCase ? `${flags}i` : flags);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^.*\/: /, "") : String(error);
    throw parseError(pattern, reason, error);
  }
}

function parseError(pattern: string, reason: string, cause?: unknown): Error {
  return new Error(`regex parse error:\n    ${pattern}\nerror: ${reason}`, { cause });
}

function escapeLiteral(text: string): string {
  return text.replace(/[$()*+./?[\\\]^{|}]/g, "\\$&");
}

/** One pass over a pattern. */
class Translation {
  private at = 0;
  private ignoreCase = false;

  constructor(private readonly pattern: string) {}

  run(): { source: string; ignoreCase: boolean } {
    this.leadingFlags();
    let source = "";
    while (this.at < this.pattern.length) source += this.part();
    return { source, ignoreCase: this.ignoreCase };
  }

  private fail(reason: string): Error {
    return parseError(this.pattern, reason);
  }

  /** Flags for the whole pattern; `m` and `s` change nothing within a line, `u` is the default. */
  private leadingFlags(): void {
    const flags = /^\(\?([imsu]+)\)/.exec(this.pattern);
    if (flags) {
      this.at = flags[0].length;
      this.ignoreCase = flags[1]?.includes("i") ?? false;
    }
  }

  private part(): string {
    const character = String.fromCodePoint(this.pattern.codePointAt(this.at) ?? 0);
    switch (character) {
      case "\\":
        return this.escape(false);
      case "[":
        return this.bracket();
      case "(":
        return this.group();
      case "{": {
        const counted = /^\{\s*(\d*)\s*(,?)\s*(\d*)\s*\}/.exec(this.pattern.slice(this.at));
        const [all = "", least = "", comma = "", most = ""] = counted ?? [];
        if (least === "" && most === "") throw this.fail("repetition operator missing or invalid: {");
        this.at += all.length;
        return `{${least === "" ? "0" : least}${comma}${most}}`;
      }
      case "]":
      case "}":
        this.at++;
        return `\\${character}`;
      case "/":
        this.at++;
        return "\\/";
      default:
        this.at += character.length;
        return character;
    }
  }

  private group(): string {
    const rest = this.pattern.slice(this.at);
    if (/^\(\?(?:[=!]|<[=!])/.test(rest)) {
      throw this.fail("look-around, including look-ahead and look-behind, is not supported");
    }
    const [start = "("] = /^\((?:\?(?:P?<[^>=!]*>|:))?/.exec(rest) ?? [];
    if (start === "(" && rest[1] === "?") {
      throw this.fail("flags inside a pattern need ripgrep, which does not run here; only (?i) in front is known");
    }
    this.at += start.length;
    return start.replace("?P<", "?<");
  }

  /** An escape outside or inside brackets. */
  private escape(inBracket: boolean): string {
    const rest = this.pattern.slice(this.at);
    const property = /^\\([pP])(?:\{(\^?)([^}]*)\}|(\w))/.exec(rest);
    if (property) {
      this.at += property[0].length;
      return this.property(property);
    }
    const code = /^\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|[xuU]\{([0-9A-Fa-f]+)\})/.exec(rest);
    if (code) {
      this.at += code[0].length;
      return `\\u{${(code[1] ?? code[2] ?? code[3] ?? code[4] ?? "0").replace(/^0+(?=.)/, "")}}`;
    }
    const boundary = /^\\b\{(start|end|start-half|end-half)\}/.exec(rest);
    if (boundary && !inBracket) {
      this.at += boundary[0].length;
      return BOUNDARIES[boundary[1] ?? ""] ?? "";
    }
    const letter = rest.slice(1, 2);
    this.at += 2;
    const set = CLASSES[letter.toLowerCase()];
    if (set) return letter === letter.toLowerCase() ? (inBracket ? set : `[${set}]`) : `[^${set}]`;
    if (!inBracket && ASSERTIONS[letter]) return ASSERTIONS[letter];
    if (CONTROLS[letter]) return CONTROLS[letter];
    if (letter === "n") throw this.fail('the literal "\\n" is not allowed in a regex');
    if (/[1-9]/.test(letter)) throw this.fail("backreferences are not supported");
    if (letter === "" || /[\w]|[^\0-\x7f]/.test(letter)) throw this.fail("unrecognized escape sequence");
    return member(letter);
  }

  private property([, kind = "p", negation = "", name = "", short]: RegExpExecArray): string {
    const negated = (kind === "P") !== (negation === "^");
    for (const candidate of [short ?? name.replace(/:/, "="), `Script=${name}`]) {
      const source = `\\${negated ? "P" : "p"}{${candidate}}`;
      try {
        new RegExp(source, "v");
        return source;
      } catch {
        // Not this kind of property: the next is tried.
      }
    }
    throw this.fail("Unicode property not found");
  }

  private depth = 0;

  /** `[...]` with nested classes, POSIX classes and intersections. */
  private bracket(): string {
    const posix = /^\[:(\^?)(\w+):\]/.exec(this.pattern.slice(this.at));
    const named = posix && POSIX[posix[2] ?? ""];
    if (posix && named && this.depth > 0) {
      this.at += posix[0].length;
      return posix[1] ? `[^${named}]` : named;
    }
    const [start] = /^\[\^?/.exec(this.pattern.slice(this.at)) ?? ["["];
    this.at += start.length;
    this.depth++;
    const operands = [""];
    const add = (text: string) => operands.push((operands.pop() ?? "") + text);
    for (let first = true; ; first = false) {
      const next = this.pattern.slice(this.at, this.at + 2);
      if (next === "") throw this.fail("unclosed character class");
      if (next[0] === "]" && !first) break;
      if (next === "&&") {
        this.at += 2;
        operands.push("");
      } else if (next === "--" || next === "~~") {
        throw this.fail(`${next} in a character class needs ripgrep, which does not run here`);
      } else if (next[0] === "[") add(this.bracket());
      else if (next[0] === "\\") add(this.escape(true));
      else add(this.bracketCharacter(operands.at(-1) ?? ""));
    }
    this.at++;
    this.depth--;
    const [only = ""] = operands;
    return operands.length === 1 ? `${start}${only}]` : `${start}${operands.map((part) => `[${part}]`).join("&&")}]`;
  }

  /** A character in brackets; `-` between two members is a range, else itself. */
  private bracketCharacter(before: string): string {
    const character = String.fromCodePoint(this.pattern.codePointAt(this.at) ?? 0);
    this.at += character.length;
    if (character !== "-") return member(character);
    return before === "" || this.pattern[this.at] === "]" ? "\\-" : "-";
  }
}

const BOUNDARIES: Readonly<Record<string, string>> = {
  start: `(?<![${WORD}])(?=[${WORD}])`,
  end: `(?<=[${WORD}])(?![${WORD}])`,
  "start-half": `(?<![${WORD}])`,
  "end-half": `(?![${WORD}])`,
};

/** A character that stands for itself, inside and outside of brackets. */
function member(character: string): string {
  if (/[$()*+./?[\\\]^{|}]/.test(character)) return `\\${character}`;
  const code = character.codePointAt(0) ?? 0;
  // Doubled, many of the other signs would mean an operation on sets.
  return code < 0x80 && /[^\w\s]/.test(character) ? `\\x${code.toString(16).padStart(2, "0")}` : character;
}
