/** Where skills and prompt templates are looked for, in the order that decides between names. Source: extensions.md 1.1, 9. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { CONFIG_DIR_NAME } from "../../config.js";
import { isEnabled, isGlob, patternEntries } from "../packages/resource-patterns.js";
import type { ResolvedResource } from "../packages/types.js";
import { resolveUserPath } from "../session-store/paths.js";
import type { SettingsManager } from "../settings/settings-manager.js";
import { namedPromptSources, type PromptSource } from "./prompt-templates.js";
import type { PathMetadata, SourceInfo } from "./resource-types.js";
import { namedSkillSources, type SkillSource, userSkillSources } from "./skills.js";

export interface PlacesOptions {
  cwd: string;
  agentDir: string;
  settingsManager: SettingsManager;
  /** Named on the command line, or by a program. */
  additional: readonly string[];
  /** Only what was named. */
  onlyNamed: boolean;
  /** Of packages. */
  fromPackages: readonly ResolvedResource[];
  /** What extensions told of. */
  extended: readonly { path: string; metadata: PathMetadata }[];
}

/** A scope with its own settings and folder. */
interface Scope {
  name: "project" | "user";
  baseDir: string;
  settings: ReturnType<SettingsManager["getGlobalSettings"]>;
}

/** The project only while it is trusted, and before the user. */
export function resourceScopes({
  cwd,
  agentDir,
  settingsManager,
}: Pick<PlacesOptions, "cwd" | "agentDir" | "settingsManager">): Scope[] {
  const user: Scope = { name: "user", baseDir: agentDir, settings: settingsManager.getGlobalSettings() };
  if (!settingsManager.isProjectTrusted()) return [user];
  const baseDir = join(cwd, CONFIG_DIR_NAME);
  return [{ name: "project", baseDir, settings: settingsManager.getProjectSettings() }, user];
}

/** Paths that settings add; signed entries and globs only choose. */
export function configuredPaths(entries: readonly string[] = [], baseDir: string): string[] {
  return patternEntries(entries)
    .plain.filter((entry) => !isGlob(entry))
    .map((entry) => resolveUserPath(entry, baseDir));
}

/** What the signed entries of a scope's settings leave of its resources. */
export function isLeft(path: string, entries: readonly string[] = [], baseDir: string): boolean {
  return isEnabled(path, baseDir, patternEntries(entries), true);
}

export function skillPlaces(options: PlacesOptions): SkillSource[] {
  const { cwd, agentDir, additional, onlyNamed, fromPackages, extended } = options;
  const scopes = resourceScopes(options).flatMap(({ name, baseDir, settings }): SkillSource[] => [
    ...configuredPaths(settings.skills, baseDir).map((path) => local(path, name)),
    ...(name === "user" ? userSkillSources(agentDir) : projectSkillSources(cwd)),
  ]);
  const packages = fromPackages.map(({ path, metadata }) => ({ path, source: metadata.source, scope: metadata.scope }));
  return [
    ...namedSkillSources(additional, cwd),
    ...(onlyNamed ? [] : [...scopes, ...packages]),
    ...extended.map(({ path, metadata }) => ({ path, isNamed: true, source: metadata.source, scope: metadata.scope })),
  ];
}

function local(path: string, scope: SourceInfo["scope"]): SkillSource {
  return { path, isNamed: true, source: "local", scope };
}

/** Of the project and of the folders above it, up to the root of its repository. */
function projectSkillSources(cwd: string): SkillSource[] {
  const project = { source: "auto", scope: "project" } as const;
  const folders: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    // The user's own need no trust and have a place of their own.
    if (folder !== homedir()) folders.push(join(folder, ".agents", "skills"));
    if (existsSync(join(folder, ".git")) || dirname(folder) === folder) break;
  }
  return [
    { ...project, path: join(cwd, CONFIG_DIR_NAME, "skills"), kind: "pi" },
    ...folders.map((path): SkillSource => ({ ...project, path, kind: "agents" })),
  ];
}

export function promptPlaces(options: PlacesOptions): PromptSource[] {
  const { cwd, additional, onlyNamed, fromPackages, extended } = options;
  const scopes = resourceScopes(options).flatMap(({ name, baseDir, settings }): PromptSource[] => {
    const info = (source: string) => ({ source, scope: name, origin: "top-level" }) as const;
    return [
      ...configuredPaths(settings.prompts, baseDir).map((path) => ({ path, isNamed: true, sourceInfo: info("local") })),
      { path: join(baseDir, "prompts"), sourceInfo: info("auto") },
    ];
  });
  const packages = fromPackages.map(({ path, metadata }) => ({ path, sourceInfo: metadata }));
  return [
    ...namedPromptSources(additional, cwd),
    ...(onlyNamed ? [] : [...scopes, ...packages]),
    ...extended.map(({ path, metadata }) => ({ path, isNamed: true, sourceInfo: metadata })),
  ];
}
