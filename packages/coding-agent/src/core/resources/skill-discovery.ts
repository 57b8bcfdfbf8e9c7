/** Skill files below a folder. Source: extensions.md section 9.1. */
import { readdirSync, realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import ignore, { type Ignore } from "ignore";
import { isDirectory, readTextIfExists, statIfExists } from "../storage/files.js";

/** Which loose `*.md` files count: in `pi` folders those at the top, in `agents` folders those below it. */
export type SkillFolderKind = "pi" | "agents";

export interface SkillPath {
  readonly path: string;
  /** Not called `SKILL.md`. */
  readonly isLoose: boolean;
}

const SKILL_FILE = "SKILL.md";
const IGNORE_FILES = [".gitignore", ".ignore", ".fdignore"];

/** Rules of one folder, with those of the folders around it. */
interface Rules {
  readonly directory: string;
  readonly matcher: Ignore;
  readonly outer: Rules | undefined;
}

/**
 * Skills in the order of their paths. A folder with a `SKILL.md` is one skill, whatever else is in it. Links are
 * followed, each folder is visited once.
 *
 * @param onProblem told of folders and ignore files that cannot be read
 */
export function findSkills(
  root: string,
  kind: SkillFolderKind,
  onProblem: (path: string, message: string) => void,
): SkillPath[] {
  const visited = new Set<string>();
  const found: SkillPath[] = [];
  const attempt = <T>(path: string, read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      onProblem(path, error instanceof Error ? error.message : String(error));
      return undefined;
    }
  };
  const visit = (directory: string, outer: Rules | undefined): void => {
    const real = attempt(directory, () => realpathSync(directory));
    if (real === undefined || visited.has(real)) return;
    visited.add(real);
    if (isFile(join(directory, SKILL_FILE))) {
      found.push({ path: join(directory, SKILL_FILE), isLoose: false });
      return;
    }
    const entries = attempt(directory, () => readdirSync(directory, { withFileTypes: true })) ?? [];
    const rules = attempt(directory, () => rulesOf(directory, outer)) ?? outer;
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
      const path = join(directory, entry.name);
      const isFolder = entry.isDirectory() || (entry.isSymbolicLink() && isFolderLink(path));
      if (isIgnored(rules, path, isFolder)) continue;
      if (isFolder) visit(path, rules);
      else if (isLooseSkill(path, directory === root, kind)) found.push({ path, isLoose: true });
    }
  };
  visit(root, undefined);
  return found;
}

function isLooseSkill(path: string, isTop: boolean, kind: SkillFolderKind): boolean {
  return path.endsWith(".md") && isTop === (kind === "pi") && isFile(path);
}

function rulesOf(directory: string, outer: Rules | undefined): Rules | undefined {
  const texts = IGNORE_FILES.flatMap((name) => {
    const path = join(directory, name);
    // A pipe of that name would be waited for.
    return isFile(path) ? (readTextIfExists(path) ?? []) : [];
  });
  return texts.length === 0 ? outer : { directory, matcher: ignore().add(texts.join("\n")), outer };
}

/** The nearest folder whose rules say something decides. */
function isIgnored(rules: Rules | undefined, path: string, isFolder: boolean): boolean {
  for (let level = rules; level; level = level.outer) {
    const name = relative(level.directory, path).split(sep).join("/");
    const { ignored, unignored } = level.matcher.test(isFolder ? `${name}/` : name);
    if (ignored || unignored) return ignored;
  }
  return false;
}

/** A link that leads nowhere, or round in a circle, is no file. */
function isFile(path: string): boolean {
  try {
    return statIfExists(path)?.isFile() === true;
  } catch {
    return false;
  }
}

function isFolderLink(path: string): boolean {
  try {
    return isDirectory(path);
  } catch {
    return false;
  }
}
