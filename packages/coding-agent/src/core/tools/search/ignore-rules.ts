/**
 * Rules of ignore files as the search program takes them: `.rgignore` before `.ignore` before `.gitignore` before the
 * repository's and the user's own excludes, and of each kind the nearest file first.
 */
import type ignore from "ignore";
import type { Ignore } from "ignore";

/** Makes the matcher of one file; loaded when the first ignore file is found. */
type IgnoreFactory = typeof ignore;

/** The kinds of ignore files, stronger ones first. */
export const IGNORE_FILES = { custom: ".rgignore", plain: ".ignore", git: ".gitignore" } as const;
export type RuleKind = keyof typeof IGNORE_FILES | "exclude";
const KINDS: readonly RuleKind[] = ["custom", "plain", "git", "exclude"];

/** What rules say of an entry; `shown` is said by a `!` rule only. */
export type Verdict = "ignored" | "shown" | undefined;

/** The rules of one file. */
export class RuleFile {
  private readonly matcher: Ignore;

  /**
   * @param base its directory: the part of entry paths to leave out in front
   * @param above path from its directory to the search directory, when it lies above that
   */
  constructor(
    private readonly factory: IgnoreFactory,
    private readonly text: string,
    private readonly base: string,
    private readonly above: string,
  ) {
    this.matcher = factory({ ignorecase: false }).add(text.replace(/^\ufeff/, ""));
  }

  /** @param path of an entry below the file's directory, seen from the search directory */
  verdict(path: string, isDirectory: boolean): Verdict {
    const { ignored, unignored } = this.matcher.test(this.seenFromHere(path) + (isDirectory ? "/" : ""));
    return ignored ? "ignored" : unignored ? "shown" : undefined;
  }

  /**
   * The same rules, except that they say nothing against a directory. The matcher holds everything in an ignored
   * directory to be ignored; but where a stronger rule shows the directory, each entry stands for itself.
   */
  sparing(directory: string): RuleFile {
    return this.sparingAbove(this.seenFromHere(directory));
  }

  /** The same for a directory as the rules see it, which may hold the search directory. */
  sparingAbove(directory: string): RuleFile {
    const escaped = directory.replace(/[\\*?[\] ]/g, "\\$&");
    return new RuleFile(this.factory, `${this.text}\n!/${escaped}/`, this.base, this.above);
  }

  private seenFromHere(path: string): string {
    return this.above + (this.base === "" ? path : path.slice(this.base.length + 1));
  }
}

/** The rule files of one directory, and those above it that count as well. */
export interface RuleLevel {
  readonly above: RuleLevel | undefined;
  /** A repository begins here: `.gitignore` files above it do not count. */
  readonly isRepository: boolean;
  readonly files: Readonly<Partial<Record<RuleKind, RuleFile>>>;
}

export interface RuleOptions {
  /** Whether `.gitignore` counts only in a repository. */
  readonly requireGit: boolean;
  /** The user's own excludes. */
  readonly global: RuleFile | undefined;
}

/** What all rules together say of an entry. */
export function judge(level: RuleLevel | undefined, path: string, isDirectory: boolean, options: RuleOptions): Verdict {
  if (!level && !options.global) return undefined;
  const found: Partial<Record<RuleKind, Verdict>> = {};
  let belowRepository = true;
  for (let at = level; at; at = at.above) {
    for (const kind of KINDS) {
      if (found[kind] || ((kind === "git" || kind === "exclude") && !belowRepository)) continue;
      const verdict = at.files[kind]?.verdict(path, isDirectory);
      if (verdict) found[kind] = verdict;
    }
    if (at.isRepository) belowRepository = false;
  }
  const inRepository = !belowRepository;
  const counted = options.requireGit && !inRepository ? [found.custom, found.plain] : KINDS.map((kind) => found[kind]);
  const said = counted.find((verdict) => verdict !== undefined);
  if (said || (options.requireGit && !inRepository)) return said;
  return options.global?.verdict(path, isDirectory);
}

/** The levels with every file that is against a directory sparing it: for a directory that is shown all the same. */
export function spare(level: RuleLevel | undefined, directory: string): RuleLevel | undefined {
  if (!level) return undefined;
  const files: Partial<Record<RuleKind, RuleFile>> = {};
  for (const kind of KINDS) {
    const file = level.files[kind];
    if (file) files[kind] = file.verdict(directory, true) === "ignored" ? file.sparing(directory) : file;
  }
  return { ...level, above: spare(level.above, directory), files };
}
