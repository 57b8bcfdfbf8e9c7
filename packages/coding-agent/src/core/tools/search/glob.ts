/**
 * Glob patterns as `find` understands them. Pure. Source: agent-and-tools.md B7 (Semantics).
 *
 * `*` and `?` stay within a name, dotfiles included; `**` as a whole part spans directories; `[a-z]`, `[!a-z]`;
 * `{a,b}`, nested; `\` takes the next character literally. Parentheses and the like are ordinary characters.
 */

/** Compiles a pattern that must match a whole path with `/`. */
export function globToRegExp(glob: string, options: { ignoreCase?: boolean } = {}): RegExp {
  return new RegExp(`^(?:${translate(glob)})$`, options.ignoreCase ? "isu" : "su");
}

/** An entry as a pattern sees it. */
export interface GlobCandidate {
  /** Relative to the search directory, with `/`, no trailing slash. */
  readonly path: string;
  readonly isDirectory: boolean;
}

/**
 * The test of a `find` pattern: without `/` against base names, with `/` against the path from the search directory,
 * absolute against the whole path. A pattern with no capital letter ignores case.
 *
 * @param searchDir absolute, with `/`
 */
export function compileFindPattern(pattern: string, searchDir: string): (candidate: GlobCandidate) => boolean {
  const directoriesOnly = pattern.length > 1 && pattern.endsWith("/");
  const glob = pattern.replace(/^(?:\.\/+)+/, "").replace(/\/+$/, "");
  const expression = globToRegExp(glob, { ignoreCase: !/\p{Lu}/u.test(glob) });
  const isAbsolute = glob.startsWith("/") || /^[a-zA-Z]:\//.test(glob);
  const root = searchDir.endsWith("/") ? searchDir : `${searchDir}/`;
  const subject = (path: string) => {
    if (isAbsolute) return root + path;
    return glob.includes("/") ? path : path.slice(path.lastIndexOf("/") + 1);
  };
  return ({ path, isDirectory }) => (isDirectory || !directoriesOnly) && expression.test(subject(path));
}

function translate(glob: string): string {
  let source = "";
  let at = 0;
  while (at < glob.length) {
    const doubleStar = /^\*\*(\/+|$)/.exec(glob.slice(at));
    if (doubleStar && (at === 0 || glob[at - 1] === "/")) {
      source += doubleStar[1] ? "(?:[^/]+/)*" : ".*";
      at += doubleStar[0].length;
      continue;
    }
    const { text, length } = translatePart(glob, at);
    source += text;
    at += length;
  }
  return source;
}

/** One element of a pattern at `at`: its expression, and how much of the pattern it takes. */
function translatePart(glob: string, at: number): { text: string; length: number } {
  const [character = ""] = glob.slice(at, at + 2);
  switch (character) {
    case "*": {
      const stars = /^\*+/.exec(glob.slice(at))?.[0].length ?? 1;
      return { text: "[^/]*", length: stars };
    }
    case "?":
      return { text: "[^/]", length: 1 };
    case "\\": {
      const [next = "\\"] = glob.slice(at + 1, at + 3);
      return { text: escapeLiteral(next), length: 1 + (at + 1 < glob.length ? next.length : 0) };
    }
    case "[":
      return translateClass(glob, at) ?? { text: "\\[", length: 1 };
    case "{":
      return translateBraces(glob, at) ?? { text: "\\{", length: 1 };
    default:
      return { text: escapeLiteral(character), length: character.length };
  }
}

/** `[...]`; a `]` that comes first is a member. Undefined when it is not closed or makes no sense. */
function translateClass(glob: string, at: number): { text: string; length: number } | undefined {
  const match = /^\[([!^]?)(\]?[^\]]*)\]/u.exec(glob.slice(at));
  if (!match || match[2] === undefined || match[2] === "") return undefined;
  const members = match[2].replace(/[\\[\]^&]/g, "\\$&");
  const text = `(?!/)[${match[1] ? "^" : ""}${members}]`;
  try {
    new RegExp(text, "u");
  } catch {
    // A range like z-a: the bracket is then an ordinary character.
    return undefined;
  }
  return { text, length: match[0].length };
}

/** `{a,b}`, nested; undefined when it is not closed. */
function translateBraces(glob: string, at: number): { text: string; length: number } | undefined {
  const alternatives: string[] = [];
  let depth = 0;
  let start = at + 1;
  for (let i = at; i < glob.length; i++) {
    const character = glob[i];
    if (character === "\\") i++;
    else if (character === "{") depth++;
    else if (character === "}") depth--;
    const ends = character === "}" && depth === 0;
    if (!ends && !(character === "," && depth === 1)) continue;
    alternatives.push(glob.slice(start, i));
    start = i + 1;
    if (!ends) continue;
    const before = glob[at - 1];
    // `**` in an alternative is a whole part when the brace begins one.
    const inner = alternatives.map((part) => (at === 0 || before === "/" ? translate(part) : translateInner(part)));
    return { text: `(?:${inner.join("|")})`, length: i + 1 - at };
  }
  return undefined;
}

function translateInner(part: string): string {
  return part.startsWith("**") ? `[^/]*${translate(part.replace(/^\*+/, ""))}` : translate(part);
}

function escapeLiteral(character: string): string {
  return character.replace(/[$()*+./?[\\\]^{|}]/g, "\\$&");
}
