/** What a package offers. Source: extensions.md sections 1.3, 1.4 and 10.3. */
import { join, relative, resolve } from "node:path";
import { directoryEntries, discoverExtensions } from "../extensions/discovery.js";
import { findSkills } from "../resources/skill-discovery.js";
import { namesIn, statIfExists } from "../storage/files.js";
import { readTextIfExists } from "../storage/read-text.js";
import { globPattern, isEnabled, isGlob, patternEntries } from "./resource-patterns.js";

export const resourceKinds = ["extensions", "skills", "prompts", "themes"] as const;
export type ResourceKind = (typeof resourceKinds)[number];

/** Files by kind, absolute; of a skill its `SKILL.md`. */
export type PackageResources = Record<ResourceKind, string[]>;

export interface PackageManifest {
  name?: string;
  version?: string;
  /** The kinds that the package lists; absent kinds are not offered when one is there. */
  listed?: Partial<Record<ResourceKind, string[]>>;
  changelogPath?: string;
}

/** The manifest of a folder; empty when there is none, or when it cannot be read. */
export function readManifest(root: string): PackageManifest {
  let value: unknown;
  try {
    value = JSON.parse(readTextIfExists(join(root, "package.json")) ?? "{}");
  } catch {
    return {};
  }
  const { name, version, pi } = isRecord(value) ? value : {};
  const manifest: PackageManifest = {
    ...(typeof name === "string" && { name }),
    ...(typeof version === "string" && { version }),
  };
  if (!isRecord(pi)) return manifest;
  // A malformed list is as good as none.
  const listed = resourceKinds.flatMap((kind): [ResourceKind, string[]][] => {
    const entries: unknown = pi[kind];
    return Array.isArray(entries) && entries.every((entry) => typeof entry === "string") ? [[kind, entries]] : [];
  });
  if (listed.length > 0) manifest.listed = Object.fromEntries(listed);
  if (typeof pi["changelogPath"] === "string") manifest.changelogPath = pi["changelogPath"];
  return manifest;
}

/**
 * The resources of a package: what its manifest lists, else what lies in the folders `extensions`, `skills`, `prompts` and
 * `themes`; of a folder with none of these its index file.
 */
export function packageResources(root: string): PackageResources {
  const { listed } = readManifest(root);
  const offered: PackageResources = { extensions: [], skills: [], prompts: [], themes: [] };
  for (const kind of resourceKinds) {
    if (!listed) offered[kind] = filesOf(join(root, kind), kind);
    else if (listed[kind]) offered[kind] = listedFiles(root, kind, listed[kind]);
  }
  if (!listed && !isFolder(join(root, "extensions"))) offered.extensions = directoryEntries(root);
  return offered;
}

function listedFiles(root: string, kind: ResourceKind, list: readonly string[]): string[] {
  const entries = patternEntries(list);
  const found = entries.plain.flatMap((entry) => {
    const places = isGlob(entry) ? globbed(root, entry) : [resolve(root, entry)];
    return places.flatMap((place) => filesOf(place, kind));
  });
  const forced = entries.forced.flatMap((entry) => filesOf(resolve(root, entry), kind));
  return [...new Set([...found, ...forced])].filter((path) => isEnabled(path, root, entries, true));
}

/** The resources at a place: a file is one, a folder is looked through. */
function filesOf(place: string, kind: ResourceKind): string[] {
  const stats = statOf(place);
  if (stats === "file") return [place];
  if (stats !== "folder") return [];
  switch (kind) {
    case "extensions":
      return discoverExtensions(place);
    case "skills":
      return findSkills(place, "pi", () => {}).map(({ path }) => path);
    case "prompts":
      return below(place, (path) => path.endsWith(".md"));
    case "themes":
      return below(place, (path) => path.endsWith(".json"));
  }
}

/** Files and folders that a glob names; dot names are not matched. */
function globbed(root: string, glob: string): string[] {
  const pattern = globPattern(glob);
  const found: string[] = [];
  walk(root, (path) => {
    if (pattern.test(relative(root, path).replaceAll("\\", "/"))) found.push(path);
  });
  return found;
}

function below(folder: string, isWanted: (path: string) => boolean): string[] {
  const found: string[] = [];
  walk(folder, (path) => {
    if (isWanted(path) && statOf(path) === "file") found.push(path);
  });
  return found;
}

/** Deepest nesting that is looked into: links may lead in circles. */
const deepest = 12;

function walk(folder: string, visit: (path: string) => void, depth = 0): void {
  if (depth > deepest) return;
  for (const name of [...namesIn(folder)].sort()) {
    if (name.startsWith(".") || name === "node_modules") continue;
    const path = join(folder, name);
    visit(path);
    if (statOf(path) === "folder") walk(path, visit, depth + 1);
  }
}

function isFolder(path: string): boolean {
  return statOf(path) === "folder";
}

function statOf(path: string): "file" | "folder" | undefined {
  try {
    const stats = statIfExists(path);
    return stats?.isDirectory() ? "folder" : stats?.isFile() ? "file" : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
