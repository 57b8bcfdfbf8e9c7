import { accessSync, constants, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { isThere, statIfExists } from "./files.js";

/**
 * Why nothing can be written in a folder, which need not exist as long as it can be made; undefined when it can, as far as
 * rights go: room on the disk is another matter.
 */
export function folderProblem(path: string): string | undefined {
  try {
    for (let folder = path; ; folder = dirname(folder)) {
      const stats = statIfExists(folder);
      if (!stats && isThere(folder)) return "is a link to nothing";
      if (!stats && dirname(folder) !== folder) continue;
      if (!stats?.isDirectory()) return "is a file";
      accessSync(folder, constants.W_OK | constants.X_OK);
      return undefined;
    }
  } catch (error) {
    return accessProblem(error);
  }
}

/** Why it cannot be said what is in a folder; undefined when it can, or there is no such folder. */
export function listingProblem(path: string): string | undefined {
  try {
    const stats = statIfExists(path);
    if (!stats) return undefined;
    if (!stats.isDirectory()) return "is a file";
    accessSync(path, constants.R_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return accessProblem(error);
  }
}

/** Says that there is no room where a folder is, or will be; undefined when there is some, or nobody can tell. */
export function roomProblem(path: string): string | undefined {
  try {
    let folder = path;
    while (!statIfExists(folder) && dirname(folder) !== folder) folder = dirname(folder);
    const { blocks, bavail, bfree } = statfsSync(folder);
    // What is set aside for root is room for root. Some file systems tell nothing.
    const free = process.getuid?.() === 0 ? bfree : bavail;
    return blocks > 0 && free === 0 ? "is on a full disk" : undefined;
  } catch {
    return undefined;
  }
}

/** What the operating system says about a folder, in words that follow its name. */
export function accessProblem(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ELOOP") return "is a link that leads in circles";
  if (code === "EROFS") return "is on a file system that cannot be written";
  if (code === "EACCES" || code === "EPERM") return "cannot be used with the rights of this user";
  return `cannot be used: ${message}`;
}
