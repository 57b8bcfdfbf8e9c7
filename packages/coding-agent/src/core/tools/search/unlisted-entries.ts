/**
 * What the search program does not list although nothing hides it: links, special files, and directories that hold no
 * file.
 */
import type { Dirent } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathExists, toPosixPath } from "../path-utils.js";
import type { GlobCandidate } from "./glob.js";
import { type IgnoreFile, isIgnored, parseIgnoreRules } from "./ignore-rules.js";

/** Stronger ones first, as the search program takes them. */
const IGNORE_FILES = [".rgignore", ".ignore", ".gitignore"];
/** Directories read at a time. */
const BATCH = 32;

export interface Listed {
  readonly files: ReadonlySet<string>;
  /** Every directory that holds a listed file. */
  readonly directories: ReadonlySet<string>;
}

/** The root of the repository that holds a directory. */
export async function findRepositoryRoot(dir: string): Promise<string | undefined> {
  for (let at = dir; ; at = dirname(at)) {
    if (await pathExists(join(at, ".git"))) return at;
    if (at === dirname(at)) return undefined;
  }
}

/**
 * @param root absolute search directory
 * @param repository root of its repository; rules of directories above it do not count
 */
export async function findUnlisted(
  root: string,
  repository: string | undefined,
  listed: Listed,
  signal: AbortSignal | undefined,
): Promise<GlobCandidate[]> {
  const rules = new IgnoreFiles(repository);
  const found: GlobCandidate[] = [];
  let queue = ["", ...listed.directories];
  while (queue.length > 0 && !signal?.aborted) {
    const batch = queue.slice(0, BATCH);
    queue = queue.slice(BATCH);
    const results = await Promise.all(
      batch.map(async (dir) => {
        const candidates = (await entriesOf(join(root, dir)))
          .filter((entry) => entry.name !== ".git" && !entry.isFile())
          .map((entry) => ({
            path: dir === "" ? entry.name : `${dir}/${entry.name}`,
            isDirectory: entry.isDirectory(),
          }))
          .filter(({ path }) => !listed.directories.has(path) && !listed.files.has(path));
        if (candidates.length === 0) return [];
        const files = await rules.of(join(root, dir));
        return candidates.filter(
          ({ path, isDirectory }) => !isIgnored(toPosixPath(join(root, path)), isDirectory, files),
        );
      }),
    );
    for (const entry of results.flat()) {
      found.push(entry);
      if (entry.isDirectory) queue.push(entry.path);
    }
  }
  return found;
}

/** Unreadable directories have no entries to show. */
async function entriesOf(dir: string): Promise<Dirent[]> {
  try {
    return await readdir(dir, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Ignore files of directories and those above them, each read once. */
class IgnoreFiles {
  private readonly known = new Map<string, Promise<IgnoreFile[]>>();

  constructor(private readonly repository: string | undefined) {}

  /** All files that count in a directory, nearest first. */
  of(dir: string): Promise<IgnoreFile[]> {
    const known = this.known.get(dir);
    if (known) return known;
    const files = this.read(dir);
    this.known.set(dir, files);
    return files;
  }

  private async read(dir: string): Promise<IgnoreFile[]> {
    const own = IGNORE_FILES.map((name) => readRules(dir, join(dir, name)));
    const isTop = dir === this.repository || dir === dirname(dir);
    if (dir === this.repository) own.push(readRules(dir, join(dir, ".git", "info", "exclude")));
    const above = isTop ? [] : await this.of(dirname(dir));
    return [...(await Promise.all(own)), ...above].filter(({ rules }) => rules.length > 0);
  }
}

async function readRules(dir: string, path: string): Promise<IgnoreFile> {
  try {
    return { dir: toPosixPath(dir), rules: parseIgnoreRules(await readFile(path, "utf8")) };
  } catch {
    // No such file: the usual case.
    return { dir, rules: [] };
  }
}
