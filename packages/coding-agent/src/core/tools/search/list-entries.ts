/**
 * Every entry below a directory that ignore files do not hide, sorted by path.
 */
import { toPosixPath } from "../path-utils.js";
import type { GlobCandidate } from "./glob.js";
import { excludeGitData, runRipgrep } from "./ripgrep.js";
import { findRepositoryRoot, findUnlisted } from "./unlisted-entries.js";

const FILE_LIST = ["--no-config", "--files", "--hidden", "--null"];

/**
 * Files, links and directories. In a repository the ignore files above its root do not count; elsewhere `.gitignore`
 * counts all the same.
 *
 * @param dir absolute
 */
export async function listEntries(dir: string, signal: AbortSignal | undefined): Promise<GlobCandidate[]> {
  const repository = await findRepositoryRoot(dir);
  const files = new Set(await listFiles(dir, repository !== undefined, signal));
  const directories = new Set<string>();
  for (const file of files) addParents(directories, file);
  const unlisted = await findUnlisted(dir, repository, { files, directories }, signal);
  return sortByPath([
    ...Array.from(files, (path) => ({ path, isDirectory: false })),
    ...Array.from(directories, (path) => ({ path, isDirectory: true })),
    ...unlisted,
  ]);
}

async function listFiles(dir: string, inRepository: boolean, signal: AbortSignal | undefined): Promise<string[]> {
  const args = [...FILE_LIST, ...(inRepository ? [] : ["--no-require-git"]), ...excludeGitData(dir), "--", "."];
  const chunks: Buffer[] = [];
  try {
    await runRipgrep(args, dir, signal, (chunk) => {
      chunks.push(chunk);
      return "continue";
    });
  } catch (error) {
    // One directory that may not be read makes the program fail; the others are listed all the same.
    if (signal?.aborted || chunks.length === 0) throw error;
  }
  return Buffer.concat(chunks)
    .toString()
    .split("\0")
    .filter((path) => path !== "")
    .map((path) => toPosixPath(path).replace(/^\.\//, ""));
}

function addParents(directories: Set<string>, path: string): void {
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
    const parent = path.slice(0, end);
    // Known parents have known parents.
    if (directories.has(parent)) return;
    directories.add(parent);
  }
}

/** Part by part, so that a directory stands right before its content. */
export function sortByPath<T extends { readonly path: string }>(entries: readonly T[]): T[] {
  return entries
    .map((entry) => ({ entry, key: entry.path.replaceAll("/", "\0") }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ entry }) => entry);
}
