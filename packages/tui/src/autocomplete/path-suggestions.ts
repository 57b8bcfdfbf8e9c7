import { readdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { quotePath } from "./tokens.js";
import type { AutocompleteItem } from "./types.js";

/** Entries of the folder that a path names so far, folders first. `typed` may start with a quote. */
export async function suggestPaths(typed: string, basePath: string): Promise<AutocompleteItem[]> {
  const quoted = typed.startsWith('"');
  const path = quoted ? typed.slice(1) : typed;
  const slash = path.lastIndexOf("/") + 1;
  const folder = path.slice(0, slash);
  const prefix = path.slice(slash).toLowerCase();
  const entries = await listFolder(resolveFolder(folder, basePath));
  return entries
    .filter(({ name }) => name.toLowerCase().startsWith(prefix))
    .sort((a, b) => Number(b.folder) - Number(a.folder) || a.name.localeCompare(b.name))
    .map(({ name, folder: isFolder }) => {
      const label = isFolder ? `${name}/` : name;
      return { value: quotePath(folder + label, quoted), label };
    });
}

function resolveFolder(folder: string, basePath: string): string {
  if (folder.startsWith("~/")) return join(homedir(), folder.slice(2));
  return folder.startsWith("/") ? folder : join(basePath, folder);
}

async function listFolder(path: string): Promise<{ name: string; folder: boolean }[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return await Promise.all(
      entries
        .filter((entry) => entry.name !== ".git")
        .map(async (entry) => ({
          name: entry.name,
          folder: entry.isDirectory() || (entry.isSymbolicLink() && (await isFolder(join(path, entry.name)))),
        })),
    );
  } catch {
    // What cannot be read has nothing to offer.
    return [];
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

const skipped = new Set([".git", "node_modules"]);
const MAX_ENTRIES = 20_000;
const MAX_RESULTS = 20;

/** Files and folders below the base that match a query, the best first; walks breadth first and stops when it is enough. */
export async function suggestFiles(typed: string, basePath: string, signal: AbortSignal): Promise<AutocompleteItem[]> {
  const quoted = typed.startsWith('@"');
  const query = typed.slice(quoted ? 2 : 1);
  const slash = query.lastIndexOf("/") + 1;
  const scope =
    slash > 0 && (await isFolder(resolveFolder(query.slice(0, slash), basePath))) ? query.slice(0, slash) : "";
  const wanted = query.slice(scope.length).toLowerCase();
  const found: { path: string; folder: boolean; score: number }[] = [];
  const waiting = [""];
  let seen = 0;
  while (waiting.length > 0 && seen < MAX_ENTRIES && !signal.aborted) {
    const folder = waiting.shift() ?? "";
    for (const entry of await listFolder(join(resolveFolder(scope, basePath), folder))) {
      seen++;
      const path = folder + entry.name;
      const score = scorePath(path, entry.name, wanted, entry.folder);
      if (score > 0) found.push({ path: entry.folder ? `${path}/` : path, folder: entry.folder, score });
      if (entry.folder && !skipped.has(entry.name)) waiting.push(`${path}/`);
    }
    // Without a query the first level says enough.
    if (wanted === "" && folder === "") break;
  }
  return found
    .sort(
      (a, b) =>
        b.score - a.score ||
        depth(a.path) - depth(b.path) ||
        a.path.length - b.path.length ||
        a.path.localeCompare(b.path),
    )
    .slice(0, MAX_RESULTS)
    .map(({ path }) => ({
      value: `@${quotePath(scope + path, quoted)}`,
      label: path.replace(/\/$/, "").replace(/^.*\//, "") + (path.endsWith("/") ? "/" : ""),
      description: join(scope, dirname(path.replace(/\/$/, ""))).replace(/^\.$/, "") || undefined,
    }))
    .map(({ description, ...item }) => (description === undefined ? item : { ...item, description }));
}

function scorePath(path: string, name: string, wanted: string, folder: boolean): number {
  const lower = name.toLowerCase();
  const score =
    wanted === ""
      ? 1
      : lower === wanted
        ? 100
        : lower.startsWith(wanted)
          ? 80
          : lower.includes(wanted)
            ? 50
            : path.toLowerCase().includes(wanted)
              ? 30
              : 0;
  return score > 0 && folder ? score + 10 : score;
}

function depth(path: string): number {
  return path.replace(/\/$/, "").split("/").length;
}
