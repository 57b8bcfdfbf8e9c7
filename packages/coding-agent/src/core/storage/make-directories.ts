import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a directory and its missing parents; existing ones, and links to such, are fine and keep their mode.
 *
 * Node's own recursive `mkdir` tries for ever where a file system says ENOENT for what it lets nobody make, as /proc
 * does. This one tries each directory at most twice.
 *
 * @param mode of new directories, before the umask; default 0o777
 * @throws Node's error of `mkdir`: `EEXIST` when the path is a file, `ENOTDIR` when a parent is one
 */
export function makeDirectories(path: string, mode = 0o777): void {
  const missing: string[] = [];
  for (let dir = path; ; dir = dirname(dir)) {
    const noParent = make(dir, mode);
    if (!noParent) break;
    if (dirname(dir) === dir) throw noParent;
    missing.push(dir);
  }
  for (const dir of missing.reverse()) {
    const refusal = make(dir, mode);
    if (refusal) throw refusal;
  }
}

/** Makes one directory if there is none. @returns the error that says that its parent is missing */
function make(dir: string, mode: number): Error | undefined {
  try {
    mkdirSync(dir, mode);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return error as Error;
    // Not for EEXIST only: of what exists, some systems say first that it cannot be made.
    if (code === "ENOTDIR" || code === "ENAMETOOLONG") throw error;
    const found = statSync(dir, { throwIfNoEntry: false });
    if (found?.isDirectory()) return undefined;
    throw found || code !== "EEXIST" ? error : leadsNowhere(dir);
  }
}

/** Of a link whose target is missing, as Node says it. */
function leadsNowhere(path: string): Error {
  const message = `ENOENT: no such file or directory, mkdir '${path}'`;
  return Object.assign(new Error(message), { code: "ENOENT", syscall: "mkdir", path });
}
