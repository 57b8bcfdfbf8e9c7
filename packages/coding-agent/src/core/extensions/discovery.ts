/** Extension files below a folder, one level deep. Source: extensions.md section 1.2. */
import { readdirSync, realpathSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { ignoreLevelOf, isIgnored } from "../resources/ignore-levels.js";
import { readTextIfExists } from "../storage/read-text.js";

/**
 * The extensions of a folder that is looked through by itself, in the order of their names. When the folder is an
 * extension itself, only that one.
 *
 * @param onProblem told of folders that cannot be read; a missing folder is none
 */
export function discoverExtensions(
  folder: string,
  onProblem: (path: string, message: string) => void = () => {},
): string[] {
  if (!isDirectory(folder)) return [];
  try {
    const own = directoryEntries(folder);
    if (own.length > 0) return own;
    const rules = ignoreLevelOf(folder, undefined);
    return readdirSync(folder)
      .sort()
      .flatMap((name) => {
        const path = join(folder, name);
        if (name.startsWith(".") || name === "node_modules") return [];
        if (isDirectory(path)) return isIgnored(rules, path, true) ? [] : directoryEntries(path);
        return isExtensionFile(path) && !isIgnored(rules, path, false) ? [path] : [];
      });
  } catch (error) {
    onProblem(folder, error instanceof Error ? error.message : String(error));
    return [];
  }
}

/** What a folder says its extensions are: its manifest, else its index file. None: it is no extension. */
export function directoryEntries(directory: string): string[] {
  const listed = manifestEntries(directory).flatMap((path) => {
    if (!isDirectory(path)) return isFile(path) ? [path] : [];
    return indexFile(path) ?? [];
  });
  if (listed.length > 0) return listed;
  return indexFile(directory) ?? [];
}

/** Paths of `pi.extensions` in the manifest, made absolute; whether they exist is not asked. */
function manifestEntries(directory: string): string[] {
  const path = join(directory, "package.json");
  const text = isFile(path) ? readTextIfExists(path) : undefined;
  if (text === undefined) return [];
  try {
    const { pi } = JSON.parse(text) as { pi?: { extensions?: unknown } };
    const { extensions } = pi ?? {};
    return Array.isArray(extensions)
      ? extensions.filter((entry) => typeof entry === "string").map((entry) => resolve(directory, entry))
      : [];
  } catch {
    // A manifest that cannot be read says nothing; the index file still may.
    return [];
  }
}

function indexFile(directory: string): string[] | undefined {
  const name = ["index.ts", "index.js"].find((candidate) => isFile(join(directory, candidate)));
  return name === undefined ? undefined : [join(directory, name)];
}

/** What discovery takes; other endings load when they are named. Declarations have no code. */
function isExtensionFile(path: string): boolean {
  return /\.[tj]s$/.test(path) && !path.endsWith(".d.ts") && isFile(path);
}

/** The file itself, whatever links lead to it: what is deduplicated, and where imports of it begin. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

export function isDirectory(path: string): boolean {
  return kindOf(path) === "directory";
}

export function isFile(path: string): boolean {
  return kindOf(path) === "file";
}

/** Links that lead nowhere or in circles are nothing. */
function kindOf(path: string): "file" | "directory" | undefined {
  try {
    const stats = statSync(path);
    return stats.isDirectory() ? "directory" : stats.isFile() ? "file" : undefined;
  } catch {
    return undefined;
  }
}
