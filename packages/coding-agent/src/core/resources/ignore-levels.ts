/** Ignore files of the folders that resources are looked for in. Source: extensions.md sections 1.2 and 9.1. */
import { join, relative, sep } from "node:path";
import ignore, { type Ignore } from "ignore";
import { statIfExists } from "../storage/files.js";
import { readTextIfExists } from "../storage/read-text.js";

const IGNORE_FILES = [".gitignore", ".ignore", ".fdignore"];

/** Rules of one folder, with those of the folders around it. */
export interface IgnoreLevel {
  readonly directory: string;
  readonly matcher: Ignore;
  readonly outer: IgnoreLevel | undefined;
}

/** The rules that hold in a folder; undefined while there are none. */
export function ignoreLevelOf(directory: string, outer: IgnoreLevel | undefined): IgnoreLevel | undefined {
  const texts = IGNORE_FILES.flatMap((name) => {
    const path = join(directory, name);
    // A pipe of that name would be waited for.
    return isFile(path) ? (readTextIfExists(path) ?? []) : [];
  });
  return texts.length === 0 ? outer : { directory, matcher: ignore().add(texts.join("\n")), outer };
}

/** The nearest folder whose rules say something decides. */
export function isIgnored(rules: IgnoreLevel | undefined, path: string, isFolder: boolean): boolean {
  for (let level = rules; level; level = level.outer) {
    const name = relative(level.directory, path).split(sep).join("/");
    const { ignored, unignored } = level.matcher.test(isFolder ? `${name}/` : name);
    if (ignored || unignored) return ignored;
  }
  return false;
}

/** A link that leads nowhere, or round in a circle, is no file. */
function isFile(path: string): boolean {
  try {
    return statIfExists(path)?.isFile() === true;
  } catch {
    return false;
  }
}
