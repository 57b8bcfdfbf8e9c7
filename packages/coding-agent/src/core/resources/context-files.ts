/** AGENTS.md and its relatives. Source: agent-and-tools.md section D, cli-and-config.md section 6. */
import { lstatSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { homeFolder } from "../../config.js";
import { isMissing, statIfExists } from "../storage/files.js";
import { readTextIfExists, reasonOf } from "../storage/read-text.js";

/** Names that are looked for in every directory; the first that can be read counts. */
export const CONTEXT_FILE_NAMES = ["AGENTS.override.md", "AGENTS.md", "AGENTS.MD", "CLAUDE.md", "CLAUDE.MD"] as const;

export interface ContextFile {
  /** Absolute. */
  path: string;
  content: string;
}

/** One of a directory, before it is known whether another one hides it. */
interface Found extends ContextFile {
  directory: string;
  name: string;
}

/**
 * Instructions for the project: the agent directory's file first, then one per directory from the root down to `cwd`.
 * No file comes twice, by whatever path. In a linked git worktree that lies inside its main checkout, the checkout's
 * file is left out where the worktree has its own copy of it.
 *
 * @param onWarning told about files that cannot be read
 */
export function loadProjectContextFiles(
  { cwd, agentDir }: { cwd: string; agentDir: string },
  onWarning: (text: string) => void = () => {},
): ContextFile[] {
  const directories = ancestors(resolve(cwd));
  const own = firstReadable(resolve(agentDir), onWarning);
  const repository = directories.findLast((directory) => kindOf(join(directory, ".git")) !== undefined);
  const found = [
    ...(own ? [own] : []),
    ...directories.flatMap((directory) => {
      const tree = repository !== undefined && isWithin(directory, repository) ? repository : undefined;
      return firstReadable(directory, onWarning, (path) => leadsOut(path, tree)) ?? [];
    }),
  ];
  const nested = nestedWorktree(directories);
  const hidden = nested && found.find(({ directory }) => directory === nested.worktree)?.name;
  const seen = new Set<string>();
  const files: ContextFile[] = [];
  for (const { path, content, directory, name } of found) {
    if (nested && directory === nested.checkout && name === hidden) continue;
    const real = realpathSync(path);
    if (seen.has(real)) continue;
    seen.add(real);
    files.push({ path, content });
  }
  return files;
}

function ancestors(directory: string): string[] {
  const parent = dirname(directory);
  return parent === directory ? [directory] : [...ancestors(parent), directory];
}

/**
 * Where a link leads that must not be followed. Whoever made a project could have the model told what lies elsewhere on
 * the machine: a key, a diary. What links in the home folder lead to is the user's own choice.
 *
 * @param tree the repository the link is in; elsewhere the folder of the link is all that is known to belong together
 */
function leadsOut(path: string, tree: string | undefined): string | undefined {
  if (!lstatSync(path).isSymbolicLink()) return undefined;
  const real = realpathSync(path);
  if (tree !== undefined) return isWithin(real, realpathSync(tree)) ? undefined : real;
  const folder = realpathSync(dirname(path));
  const isOfUser = isWithin(homeFolder(), folder) && /\.md$/i.test(real);
  // Instructions of a folder above count for this one, too.
  const isReadAnyway = CONTEXT_FILE_NAMES.some((name) => name === basename(real)) && isWithin(folder, dirname(real));
  return isOfUser || isReadAnyway || isWithin(real, folder) ? undefined : real;
}

function firstReadable(
  directory: string,
  onWarning: (text: string) => void,
  leadsAway: (path: string) => string | undefined = () => undefined,
): Found | undefined {
  for (const name of CONTEXT_FILE_NAMES) {
    const path = join(directory, name);
    try {
      if (!statIfExists(path)?.isFile()) continue;
      const target = leadsAway(path);
      if (target !== undefined) {
        onWarning(`Not read: ${path} leads to ${target}, which is no part of the project. Put a copy in its place.`);
        continue;
      }
      const content = readTextIfExists(path);
      if (content !== undefined) return { path, content, directory, name };
    } catch (error) {
      onWarning(`Could not read ${path}: ${reasonOf(error)}`);
    }
  }
  return undefined;
}

/**
 * The innermost linked worktree among the directories, when it lies inside its main checkout. Not so submodules, which
 * share nothing with the repository around them, nor worktrees of a bare repository, which has no checkout.
 *
 * @param directories from the root down
 */
function nestedWorktree(directories: readonly string[]): { worktree: string; checkout: string } | undefined {
  const worktree = directories.findLast((directory) => kindOf(join(directory, ".git")) !== undefined);
  if (worktree === undefined || kindOf(join(worktree, ".git")) !== "file") return undefined;
  const named = /^gitdir: (.+)/.exec(textOf(join(worktree, ".git")))?.[1]?.trim();
  if (named === undefined) return undefined;
  const gitDir = resolve(worktree, named);
  // Only linked worktrees have it.
  const shared = textOf(join(gitDir, "commondir")).trim();
  if (shared === "") return undefined;
  const repository = resolve(gitDir, shared);
  if (/^\s*bare\s*=\s*true\b/im.test(textOf(join(repository, "config")))) return undefined;
  // Git may have written real paths where the directories are reached through links.
  const checkout = directories.find((directory) => isSame(join(directory, ".git"), repository));
  if (checkout === undefined || !isInside(worktree, checkout)) return undefined;
  return { worktree, checkout };
}

function kindOf(path: string): "file" | "directory" | undefined {
  try {
    return statSync(path).isDirectory() ? "directory" : "file";
  } catch {
    // Not there, or not to be looked at.
    return undefined;
  }
}

/** The text of a file of git's; of one that cannot be read, none. */
function textOf(path: string): string {
  try {
    return readTextIfExists(path) ?? "";
  } catch {
    return "";
  }
}

function isSame(a: string, b: string): boolean {
  try {
    return realpathSync(a) === realpathSync(b);
  } catch (error) {
    if (isMissing(error)) return false;
    return a === b;
  }
}

function isWithin(path: string, directory: string): boolean {
  return path === directory || isInside(path, directory);
}

function isInside(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`);
}
