/**
 * Rules of ignore files. Pure. The search program applies them itself; this is for entries that it does not list:
 * directories without files, and links.
 */
import { globToRegExp } from "./glob.js";

export interface IgnoreRule {
  /** Matches the path from the directory of the rule's file. */
  readonly expression: RegExp;
  /** `!`: what matches is shown again. */
  readonly negated: boolean;
  readonly directoriesOnly: boolean;
}

/** Rules of one file and the directory they count from. */
export interface IgnoreFile {
  /** Absolute, with `/`. */
  readonly dir: string;
  readonly rules: readonly IgnoreRule[];
}

/** Parses the text of a `.gitignore` or `.ignore`. */
export function parseIgnoreRules(text: string): IgnoreRule[] {
  return text.split(/\r?\n/).flatMap((line) => parseRule(line) ?? []);
}

function parseRule(line: string): IgnoreRule | undefined {
  if (line.startsWith("#")) return undefined;
  // Blanks at the end count only when escaped.
  let pattern = line.replace(/(?<!\\)[ \t]+$/, "");
  const negated = pattern.startsWith("!");
  if (negated) pattern = pattern.slice(1);
  const directoriesOnly = pattern.endsWith("/");
  if (directoriesOnly) pattern = pattern.slice(0, -1);
  if (pattern === "") return undefined;
  const anchored = pattern.includes("/");
  pattern = pattern.replace(/^\//, "").replace(/[{}]/g, "\\$&");
  return { expression: globToRegExp(anchored ? pattern : `**/${pattern}`), negated, directoriesOnly };
}

/**
 * Whether the last matching rule of the first file with a matching rule ignores an entry.
 *
 * @param path absolute, with `/`
 * @param files nearest directory first, and the stronger file of one directory first
 */
export function isIgnored(path: string, isDirectory: boolean, files: readonly IgnoreFile[]): boolean {
  for (const { dir, rules } of files) {
    const prefix = dir.endsWith("/") ? dir : `${dir}/`;
    if (!path.startsWith(prefix)) continue;
    const relative = path.slice(prefix.length);
    const rule = rules.findLast(
      ({ expression, directoriesOnly }) => (isDirectory || !directoriesOnly) && expression.test(relative),
    );
    if (rule) return !rule.negated;
  }
  return false;
}
