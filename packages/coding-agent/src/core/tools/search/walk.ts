/**
 * Everything below a directory that ignore files do not hide, whichever search program there is.
 * Source: agent-and-tools.md B6, B7 (Semantics), F22, F23.
 */
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, sep } from "node:path";
import type { GlobFilter } from "./glob.js";
import { judge, type RuleLevel, type RuleOptions, spare } from "./ignore-rules.js";
import { globalRules, levelOf, levelsAbove } from "./rule-levels.js";

/** Directories read at a time. */
const BATCH = 32;

export interface WalkOptions {
  /** Absolute. */
  readonly root: string;
  /** Whether `.gitignore` counts only in a repository. */
  readonly requireGit: boolean;
  /** Whether an entry is of interest; asked of all before the rules are, which takes longer. */
  wants(path: string, entry: Dirent): boolean;
  /** Goes before the ignore files. */
  readonly filter?: GlobFilter | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface WalkedEntry {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly isDirectory: boolean;
}

interface Directory {
  readonly path: string;
  readonly level: RuleLevel | undefined;
}

/** @returns the entries that are wanted, in no order; links are entries and are not followed */
export async function walk(options: WalkOptions): Promise<WalkedEntry[]> {
  const { root, signal } = options;
  const [level, global] = await Promise.all([levelsAbove(root), globalRules()]);
  const rules: RuleOptions = { requireGit: options.requireGit, global };
  const showGitData = isGitData(root);
  const found: WalkedEntry[] = [];
  let queue: Directory[] = [{ path: "", level }];
  while (queue.length > 0 && !signal?.aborted) {
    const batch = queue.splice(-BATCH);
    const inner = await Promise.all(
      batch.map((directory) => readDirectory(directory, options, rules, showGitData, found)),
    );
    queue = queue.concat(...inner);
  }
  return found;
}

/** The repository's own data is no content, unless the search is about it. */
export function isGitData(path: string): boolean {
  return path.split(sep).includes(".git");
}

/** Adds what is wanted of one directory to `found`; returns the directories in it to go on with. */
async function readDirectory(
  { path: parent, level: above }: Directory,
  { root, wants, filter }: WalkOptions,
  rules: RuleOptions,
  showGitData: boolean,
  found: WalkedEntry[],
): Promise<Directory[]> {
  const entries = await entriesOf(join(root, parent));
  const special = entries.flatMap(({ name }) => (SPECIAL.has(name) ? [name] : []));
  const level = special.length > 0 ? await levelOf(root, parent, special, above) : above;
  const directories: Directory[] = [];
  for (const entry of entries) {
    const path = parent === "" ? entry.name : `${parent}/${entry.name}`;
    const isDirectory = entry.isDirectory();
    const wanted = wants(path, entry);
    if (entry.name === ".git" && !showGitData) continue;
    if (!wanted && !isDirectory) continue;
    const said = filter?.(path, isDirectory) ?? "unsaid";
    if (said === "exclude") continue;
    const verdict = said === "include" && !isDirectory ? "shown" : judge(level, path, isDirectory, rules);
    if (verdict === "ignored" && said !== "include") continue;
    if (wanted) found.push({ path, isDirectory });
    const isOverruled = isDirectory && (verdict === "shown" || said === "include");
    if (isDirectory) directories.push({ path, level: isOverruled ? spare(level, path) : level });
  }
  return directories;
}

/** Names that may change the rules of a directory. */
const SPECIAL: ReadonlySet<string> = new Set([".git", ".gitignore", ".ignore", ".rgignore"]);

/** Unreadable directories have no entries to show. */
async function entriesOf(dir: string): Promise<Dirent[]> {
  try {
    return await readdir(dir, { withFileTypes: true });
  } catch {
    return [];
  }
}
