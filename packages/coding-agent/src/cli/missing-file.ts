/** What to do about a file that is not there, or cannot be read. */
import { basename, dirname, join } from "node:path";
import { isDirectory, isThere, namesIn } from "../core/storage/files.js";
import { closest } from "./suggest.js";

const folderAdvice = "It is a folder: name a file in it.";

/** One line. @param path absolute */
export function missingFileAdvice(path: string): string {
  const folder = dirname(path);
  if (!isDirectory(folder)) return `There is no folder ${folder}.`;
  if (isDirectory(path)) return folderAdvice;
  // Its own name is as near as can be, and no advice.
  if (isThere(path)) return "There is something of that name, but no file that can be read.";
  const near = closest(basename(path), namesIn(folder));
  return near === undefined ? `There is no file of that name in ${folder}.` : `Did you mean ${join(folder, near)}?`;
}

/** One more line where something can be done, with its line break. @param path absolute */
export function unreadableFileAdvice(path: string, { code }: NodeJS.ErrnoException): string {
  if (isDirectory(path)) return `\n${folderAdvice}`;
  return code === "EACCES" || code === "EPERM" ? "\nAllow this user to read it, or name another file." : "";
}

/**
 * One line more for a diagnostic about a path of the command line that is not there.
 * @param paths absolute
 */
export function withMissingFileAdvice(message: string, paths: readonly string[]): string {
  const path = paths.find((each) => message.startsWith(`${each}: `));
  return path === undefined || isThere(path) ? message : `${message}\n${missingFileAdvice(path)}`;
}
