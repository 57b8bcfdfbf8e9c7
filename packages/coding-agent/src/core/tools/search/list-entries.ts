/**
 * Every file and directory below a directory that ignore files do not hide, sorted by path.
 */
import { toPosixPath } from "../path-utils.js";
import type { GlobCandidate } from "./glob.js";
import { excludeGitData, runRipgrep } from "./ripgrep.js";

const FILE_LIST = ["--no-config", "--files", "--hidden", "--no-require-git", "--null"];

/** @param dir absolute */
export async function listEntries(dir: string, signal: AbortSignal | undefined): Promise<GlobCandidate[]> {
  const files = await listFiles(dir, signal);
  const directories = new Set<string>();
  for (const file of files) addParents(directories, file);
  const entries = [
    ...files.map((path) => ({ path, isDirectory: false })),
    ...Array.from(directories, (path) => ({ path, isDirectory: true })),
  ];
  return sortByPath(entries);
}

async function listFiles(dir: string, signal: AbortSignal | undefined): Promise<string[]> {
  const chunks: Buffer[] = [];
  await runRipgrep([...FILE_LIST, ...excludeGitData(dir), "--", "."], dir, signal, (chunk) => {
    chunks.push(chunk);
    return "continue";
  });
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

/** Part by part, so that a directory stands before its content and beside nothing of it. */
export function sortByPath<T extends { readonly path: string }>(entries: readonly T[]): T[] {
  return entries
    .map((entry) => ({ entry, key: entry.path.replaceAll("/", "\0") }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ entry }) => entry);
}
