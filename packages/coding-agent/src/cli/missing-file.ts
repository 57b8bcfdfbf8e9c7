/** What to do about a file that is not there. */
import { basename, dirname, join } from "node:path";
import { isDirectory, namesIn } from "../core/storage/files.js";
import { closest } from "./suggest.js";

/** One line. @param path absolute */
export function missingFileAdvice(path: string): string {
  const folder = dirname(path);
  if (!isDirectory(folder)) return `There is no folder ${folder}.`;
  if (isDirectory(path)) return "It is a folder: name a file in it.";
  const near = closest(basename(path), namesIn(folder));
  return near === undefined ? `There is no file of that name in ${folder}.` : `Did you mean ${join(folder, near)}?`;
}
