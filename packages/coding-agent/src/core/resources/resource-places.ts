/**
 * Where skills, prompt templates and themes are looked for, in the order of precedence: named ones, the project's settings
 * and folders, the user's settings and folders, packages, and what extensions add. Source: extensions.md sections 1.1, 1.4, 9.
 */
import { dirname, join } from "node:path";
import { CONFIG_DIR_NAME, getAgentDir, homeFolder } from "../../config.js";
import { isEnabled, isGlob, isIncluded, patternEntries } from "../packages/resource-patterns.js";
import type { ResolvedResource } from "../packages/types.js";
import { resolveUserPath } from "../session-store/paths.js";
import type { SettingsManager } from "../settings/settings-manager.js";
import { canonicalFolder, pathExists } from "../storage/files.js";
import type { SourceInfo } from "./resource-types.js";

/** A place to look for resources of one kind. */
export interface ResourcePlace {
  /** Absolute: a file or a folder. */
  path: string;
  /** Somebody named it, so that it is worth a word when it is not there. */
  isNamed: boolean;
  sourceInfo: Omit<SourceInfo, "path">;
  /** Whether a file found there counts; absent: all do. */
  accepts?: (path: string) => boolean;
  /** Folders of the convention that several agents share. */
  isShared?: boolean;
}

export type FileResourceKind = "skills" | "prompts" | "themes";

export interface ResourcePlacesOptions {
  cwd: string;
  agentDir: string;
  settings: SettingsManager;
  kind: FileResourceKind;
  /** Named on the command line, or by a caller. */
  additional: readonly string[];
  /** Only what was named. */
  onlyNamed: boolean;
  packaged: readonly ResolvedResource[];
  /** Found by extensions. */
  extended: readonly { path: string; metadata: Omit<SourceInfo, "path"> }[];
}

export function resourcePlaces(options: ResourcePlacesOptions): ResourcePlace[] {
  const { cwd, agentDir, settings, kind, additional, onlyNamed, packaged, extended } = options;
  const named = additional.map((path) => {
    const absolute = resolveUserPath(path, cwd);
    return place(absolute, { source: "cli", scope: "temporary", origin: "top-level" }, true);
  });
  const added = extended.map(({ path, metadata }) => place(path, metadata, true));
  if (onlyNamed) return [...named, ...added];
  const project = settings.isProjectTrusted()
    ? scopePlaces("project", join(cwd, CONFIG_DIR_NAME), settings.getProjectSettings()[kind], kind, projectFolders(cwd))
    : [];
  // A host with a directory of its own has not asked for the user's home.
  const shared = agentDir === getAgentDir() ? [join(homeFolder(), ".agents", "skills")] : [];
  const user = scopePlaces("user", agentDir, settings.getGlobalSettings()[kind], kind, shared);
  const fromPackages = packaged.map(({ path, metadata }) => place(path, metadata, true));
  return [...named, ...project, ...user, ...fromPackages, ...added];
}

/** The entries of the settings, then what lies in the folders of the scope. */
function scopePlaces(
  scope: "project" | "user",
  baseDir: string,
  configured: readonly string[] = [],
  kind: FileResourceKind,
  shared: readonly string[],
): ResourcePlace[] {
  const entries = patternEntries(configured);
  const globs = entries.plain.filter(isGlob);
  const isWanted = (path: string) => isEnabled(path, baseDir, entries, true);
  const isNamedAndWanted = (path: string) =>
    isEnabled(path, baseDir, entries, globs.length === 0 || globs.some((glob) => isIncluded(path, baseDir, glob)));
  const info = (source: string) => ({ source, scope, origin: "top-level" as const });
  const named = entries.plain
    .filter((entry) => !isGlob(entry))
    .map((entry) => ({ ...place(resolveUserPath(entry, baseDir), info("local"), true), accepts: isNamedAndWanted }));
  const own = { ...place(join(baseDir, kind), info("auto"), false), accepts: isWanted };
  const others = kind === "skills" ? shared : [];
  return [
    ...named,
    own,
    ...others.map((path) => ({ ...place(path, info("auto"), false), accepts: isWanted, isShared: true })),
  ];
}

/** `.agents/skills` of the folder and of those above it, up to the repository's root; the user's own is none of them. */
function projectFolders(cwd: string): string[] {
  const folders: string[] = [];
  const home = canonicalFolder(homeFolder());
  for (let folder = canonicalFolder(cwd); ; folder = dirname(folder)) {
    if (folder !== home) folders.push(join(folder, ".agents", "skills"));
    if (dirname(folder) === folder || pathExists(join(folder, ".git"))) return folders;
  }
}

function place(path: string, sourceInfo: Omit<SourceInfo, "path">, isNamed: boolean): ResourcePlace {
  return { path, isNamed, sourceInfo };
}
