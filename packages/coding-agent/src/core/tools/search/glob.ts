/**
 * Glob patterns as `find` and `grep` understand them. Source: agent-and-tools.md B6 (glob), B7 (Semantics).
 *
 * `*` and `?` stay within a name, dotfiles included; `**` as a whole part spans directories; `[a-z]`, `[!a-z]`;
 * `{a,b}`, nested; `\` takes the next character literally. Parentheses and the like are ordinary characters.
 */

/** An entry as a pattern sees it. */
export interface GlobCandidate {
  /** Relative to the search directory, with `/`, no trailing slash. */
  readonly path: string;
  readonly isDirectory: boolean;
}

export type GlobTest = (path: string, isDirectory: boolean) => boolean;

/**
 * The test of a `find` pattern: without `/` against base names, with `/` against the path from the search directory,
 * absolute against the whole path. A pattern with no capital letter ignores case.
 *
 * @param searchDir absolute, with `/`
 */
export async function compileFindPattern(pattern: string, searchDir: string): Promise<GlobTest> {
  const directoriesOnly = pattern.length > 1 && pattern.endsWith("/");
  const glob = pattern.replace(/^(?:\.\/+)+/, "").replace(/\/+$/, "");
  const matches = await compileGlob(glob, { ignoreCase: !/\p{Lu}/u.test(glob) });
  const isAbsolute = glob.startsWith("/") || /^[a-zA-Z]:\//.test(glob);
  const root = searchDir.endsWith("/") ? searchDir : `${searchDir}/`;
  const ofName = !glob.includes("/");
  return (path, isDirectory) => {
    if (directoriesOnly && !isDirectory) return false;
    if (ofName) return matches(path.slice(path.lastIndexOf("/") + 1));
    return matches(isAbsolute ? root + path : path);
  };
}

/** What the `glob` of `grep` says of an entry. */
export type GlobFilter = (path: string, isDirectory: boolean) => "include" | "exclude" | "unsaid";

/**
 * The test of a `grep` glob, which follows the rules of an ignore file: `!` excludes, a `/` anchors at the search
 * directory, a trailing `/` means directories. What it includes is searched even if an ignore file hides it; it never
 * hides a directory, whose files may match.
 */
export async function compileGrepGlob(glob: string): Promise<GlobFilter> {
  const excludes = glob.startsWith("!");
  const text = (excludes ? glob.slice(1) : glob).replace(/^(?:\.\/+)+/, "");
  const directoriesOnly = text.endsWith("/");
  const anchored = text.replace(/\/$/, "").includes("/");
  const matches = await compileGlob(text.replace(/^\//, "").replace(/\/$/, ""), { ignoreCase: false });
  return (path, isDirectory) => {
    const subject = anchored ? path : path.slice(path.lastIndexOf("/") + 1);
    if ((isDirectory || !directoriesOnly) && matches(subject)) return excludes ? "exclude" : "include";
    return excludes || isDirectory ? "unsaid" : "exclude";
  };
}

/** Compiles a pattern that must match a whole path with `/`. */
export async function compileGlob(glob: string, options: { ignoreCase: boolean }): Promise<(path: string) => boolean> {
  const { default: picomatch } = await import("picomatch");
  const { source } = picomatch.makeRe(escapeForPicomatch(glob), {
    dot: true,
    nonegate: true,
    noextglob: true,
    strictSlashes: true,
    posix: true,
  });
  const expression = toRegExp(source, options.ignoreCase ? "is" : "s");
  // What is no pattern after all, such as `{a`, matches itself.
  return (path) => path === glob || expression.test(path);
}

function toRegExp(source: string, flags: string): RegExp {
  try {
    // `?` is a character, not half of one.
    return new RegExp(source, `${flags}u`);
  } catch {
    // An escape that only the lax syntax knows.
    return new RegExp(source, flags);
  }
}

/** Characters that mean something to picomatch only lose it; a bracket that is never closed is a bracket. */
function escapeForPicomatch(glob: string): string {
  return glob.replace(/\\[\s\S]|\[[!^]?\]?[^\]]*\]|[()|+$^[]/g, (part) => (part.length > 1 ? part : `\\${part}`));
}
