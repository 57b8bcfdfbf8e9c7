/** What can be switched on and off in the settings: own resources and parts of packages. Source: extensions.md 1.4, 10.3. */
import { dirname, join } from "node:path";
import { CONFIG_DIR_NAME } from "../../config.js";
import { discoverExtensions } from "../extensions/discovery.js";
import { type FileKind, filesAt } from "../resources/place-files.js";
import { findSkills } from "../resources/skill-discovery.js";
import { resolveUserPath } from "../session-store/paths.js";
import type { PackageSource } from "../settings/settings.js";
import type { SettingsManager } from "../settings/settings-manager.js";
import { isDirectory, pathExists } from "../storage/files.js";
import { type ConfiguredEntry, configuredEntries, optionsOf } from "./configured-packages.js";
import { filteredResources } from "./filtered-resources.js";
import { PackagePlaces } from "./package-places.js";
import { packageResources, type ResourceKind, resourceKinds } from "./package-resources.js";
import { type Filter, type FilteredGroup, switched } from "./resource-filter.js";
import { isEnabled, isGlob, isIncluded, patternEntries } from "./resource-patterns.js";

export type ConfigScope = "user" | "project";

export interface ConfigurableResource {
  kind: ResourceKind;
  /** Absolute. */
  path: string;
  enabled: boolean;
  /** The package it is part of; undefined for one of the settings or their folders. */
  packageSource: string | undefined;
}

export interface ResourceConfigOptions {
  cwd: string;
  agentDir: string;
  settingsManager: SettingsManager;
}

interface Group extends FilteredGroup {
  kind: ResourceKind;
  packageSource: string | undefined;
  store(filter: Filter): void;
}

const fileKinds: Record<"prompts" | "themes", FileKind> = {
  prompts: { ending: ".md", label: "prompt template path", format: "markdown" },
  themes: { ending: ".json", label: "theme path", format: "JSON" },
};

export class ResourceConfig {
  readonly #options: ResourceConfigOptions;
  readonly #places: PackagePlaces;

  constructor(options: ResourceConfigOptions) {
    this.#options = options;
    this.#places = new PackagePlaces(options.cwd, options.agentDir);
  }

  /** Everything that the settings of a scope decide about. Packages that are not installed offer nothing. */
  list(scope: ConfigScope): ConfigurableResource[] {
    return this.#groups(scope).flatMap(({ kind, packageSource, paths, filter, taken }) => {
      const states = taken(filter);
      return paths.map((path, at) => ({ kind, path, packageSource, enabled: states[at] ?? false }));
    });
  }

  /** Writes what switches it into the settings of the scope; others stay as they are. */
  toggle(scope: ConfigScope, { kind, path, packageSource }: ConfigurableResource): void {
    const group = this.#groups(scope).find(
      (one) => one.kind === kind && one.packageSource === packageSource && one.paths.includes(path),
    );
    group?.store(switched(group, path));
  }

  #groups(scope: ConfigScope): Group[] {
    const { settingsManager } = this.#options;
    const entries = configuredEntries(settingsManager, this.#places).filter((entry) => entry.scope === scope);
    return [
      ...resourceKinds.map((kind) => this.#ownGroup(scope, kind)),
      ...entries.flatMap((entry) => this.#packageGroups(scope, entry)),
    ];
  }

  #ownGroup(scope: ConfigScope, kind: ResourceKind): Group {
    const { cwd, agentDir } = this.#options;
    const baseDir = scope === "user" ? agentDir : join(cwd, CONFIG_DIR_NAME);
    const filter = this.#settings(scope)[kind];
    const named = patternEntries(filter ?? [])
      .plain.filter((entry) => !isGlob(entry))
      .flatMap((entry) => filesOf(kind, resolveUserPath(entry, baseDir)));
    const found = filesOf(kind, join(baseDir, kind));
    const paths = [...new Set([...named, ...found])];
    return {
      kind,
      packageSource: undefined,
      paths,
      baseDir,
      filter,
      taken(other) {
        const entries = patternEntries(other ?? []);
        const globs = entries.plain.filter(isGlob);
        return paths.map((path) => {
          const isChosen = globs.length === 0 || globs.some((glob) => isIncluded(path, baseDir, glob));
          return isEnabled(path, baseDir, entries, found.includes(path) || isChosen);
        });
      },
      store: (other) => this.#store(scope, kind, [...(other ?? [])]),
    };
  }

  #packageGroups(scope: ConfigScope, { entry, source, parsed, base }: ConfiguredEntry): Group[] {
    const root = this.#places.folder(parsed, scope);
    if (!isDirectory(root)) return [];
    const offered = packageResources(root);
    const metadata = { source, scope, origin: "package" as const };
    return resourceKinds.map((kind) => ({
      kind,
      packageSource: source,
      paths: offered[kind],
      baseDir: root,
      filter: optionsOf(entry)[kind],
      taken: (other) =>
        filteredResources(offered, root, withFilter(entry, kind, other), base, metadata)[kind].map(
          ({ enabled }) => enabled,
        ),
      store: (other) => {
        const packages = this.#settings(scope).packages ?? [];
        const changed = packages.map((one) => (optionsOf(one).source === source ? withFilter(one, kind, other) : one));
        if (scope === "user") this.#options.settingsManager.setPackages(changed);
        else this.#options.settingsManager.setProjectPackages(changed);
      },
    }));
  }

  #settings(scope: ConfigScope) {
    const { settingsManager } = this.#options;
    return scope === "user" ? settingsManager.getGlobalSettings() : settingsManager.getProjectSettings();
  }

  #store(scope: ConfigScope, kind: ResourceKind, entries: string[]): void {
    const settings = this.#options.settingsManager;
    const isUser = scope === "user";
    const setters: Record<ResourceKind, (paths: string[]) => void> = {
      extensions: (paths) => (isUser ? settings.setExtensionPaths(paths) : settings.setProjectExtensionPaths(paths)),
      skills: (paths) => (isUser ? settings.setSkillPaths(paths) : settings.setProjectSkillPaths(paths)),
      prompts: (paths) =>
        isUser ? settings.setPromptTemplatePaths(paths) : settings.setProjectPromptTemplatePaths(paths),
      themes: (paths) => (isUser ? settings.setThemePaths(paths) : settings.setProjectThemePaths(paths)),
    };
    setters[kind](entries);
  }
}

/** The files of a kind at a place that settings name, or that is looked through by itself. */
function filesOf(kind: ResourceKind, place: string): string[] {
  switch (kind) {
    case "extensions":
      return isDirectory(place) ? discoverExtensions(place) : pathExists(place) ? [place] : [];
    case "skills":
      if (isDirectory(place)) return findSkills(place, "pi", () => {}).map(({ path }) => path);
      return pathExists(place) ? [place] : [];
    case "prompts":
    case "themes": {
      const sourceInfo = { source: "auto", scope: "user", origin: "top-level", baseDir: dirname(place) } as const;
      return filesAt({ path: place, isNamed: false, sourceInfo }, fileKinds[kind], []);
    }
  }
}

/** An entry of the settings that takes other parts of its package; as short as it can be written. */
function withFilter(entry: PackageSource, kind: ResourceKind, filter: Filter): PackageSource {
  const { [kind]: _, ...rest } = optionsOf(entry);
  if (filter) return { ...rest, [kind]: [...filter] };
  return Object.keys(rest).length === 1 ? rest.source : rest;
}
