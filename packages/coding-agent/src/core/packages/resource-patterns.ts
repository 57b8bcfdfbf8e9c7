/**
 * Entries that choose among resources: `!glob` leaves out, `+path` puts in what a `!` left out, `-path` leaves out before
 * all others. Pure. Source: extensions.md section 1.4.
 */
import { basename, dirname, relative } from "node:path";

export interface PatternEntries {
  /** Without a sign: paths, or globs. */
  plain: string[];
  excluded: string[];
  forced: string[];
  removed: string[];
}

export function patternEntries(entries: readonly string[]): PatternEntries {
  const starting = (sign: string) => entries.filter((entry) => entry.startsWith(sign)).map((entry) => entry.slice(1));
  return {
    plain: entries.filter((entry) => !/^[!+-]/.test(entry)),
    excluded: starting("!"),
    forced: starting("+"),
    removed: starting("-"),
  };
}

export function isGlob(entry: string): boolean {
  return /[*?]/.test(entry);
}

/**
 * Whether signed entries let a resource in.
 * @param included what the entries without a sign say of it
 */
export function isEnabled(path: string, baseDir: string, entries: PatternEntries, included: boolean): boolean {
  const names = namesOf(path, baseDir);
  if (entries.removed.some((entry) => isExactly(names, entry))) return false;
  if (entries.forced.some((entry) => isExactly(names, entry))) return true;
  return included && !entries.excluded.some((glob) => matchesGlob(names, glob));
}

/** Whether a filter without a sign includes a resource; one that is no glob is a path or a folder above. */
export function isIncluded(path: string, baseDir: string, entry: string): boolean {
  const names = namesOf(path, baseDir);
  if (isGlob(entry)) return matchesGlob(names, entry);
  const exact = withoutDot(entry).replace(/\/+$/, "");
  return names.paths.some((name) => name === exact || name.startsWith(`${exact}/`));
}

/** `*` and `?` stay in one part of a path, `**` does not; a name that begins with a dot is matched by a dot only. */
export function globPattern(glob: string): RegExp {
  const source = withoutDot(slashed(glob)).replace(
    /\*\*\/|\*\*|\*|\?|[\\^$.|+()[\]{}]/g,
    (part, at: number, whole: string) => {
      const visible = at === 0 || whole[at - 1] === "/" ? "(?!\\.)" : "";
      if (part === "**/") return "(?:(?!\\.)[^/]+/)*";
      if (part === "**") return `${visible}.*`;
      if (part === "*") return `${visible}[^/]*`;
      return part === "?" ? `${visible}[^/]` : `\\${part}`;
    },
  );
  return new RegExp(`^${source}$`);
}

interface Names {
  /** Relative and absolute; of a skill also its folder's. */
  paths: string[];
  /** What globs are tried on besides. */
  short: string[];
}

function namesOf(path: string, baseDir: string): Names {
  const own = [path, ...(basename(path) === "SKILL.md" ? [dirname(path)] : [])];
  return {
    paths: own.flatMap((one) => [slashed(relative(baseDir, one)), slashed(one)]),
    short: own.map((one) => basename(one)),
  };
}

function isExactly({ paths }: Names, entry: string): boolean {
  return paths.includes(withoutDot(slashed(entry)));
}

function matchesGlob({ paths, short }: Names, glob: string): boolean {
  const pattern = globPattern(glob);
  return [...paths, ...short].some((name) => pattern.test(name));
}

function withoutDot(entry: string): string {
  return entry.replace(/^\.\//, "");
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}
