/** Skill files below a folder. Source: extensions.md section 9.1. */
import { readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { isDirectory, statIfExists } from "../storage/files.js";
import { type IgnoreLevel, ignoreLevelOf, isIgnored } from "./ignore-levels.js";

/** Which loose `*.md` files count: in `pi` folders those at the top, in `agents` folders those below it. */
export type SkillFolderKind = "pi" | "agents";

export interface SkillPath {
  readonly path: string;
  /** Not called `SKILL.md`. */
  readonly isLoose: boolean;
}

const SKILL_FILE = "SKILL.md";

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
  const visit = (directory: string, outer: IgnoreLevel | undefined): void => {
    const real = attempt(directory, () => realpathSync(directory));
    if (real === undefined || visited.has(real)) return;
    visited.add(real);
    if (isFile(join(directory, SKILL_FILE))) {
      found.push({ path: join(directory, SKILL_FILE), isLoose: false });
      return;
    }
    const entries = attempt(directory, () => readdirSync(directory, { withFileTypes: true })) ?? [];
    const rules = attempt(directory, () => ignoreLevelOf(directory, outer)) ?? outer;
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
      const path = join(directory, entry.name);
      const isFolder = entry.isDirectory() || (entry.isSymbolicLink() && isDirectory(path));
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

/** A link that leads nowhere, or round in a circle, is no file. */
function isFile(path: string): boolean {
  try {
    return statIfExists(path)?.isFile() === true;
  } catch {
    return false;
  }
}
