import { getAgentDir } from "../../config.js";
import type { PathMetadata } from "../resources/resource-types.js";
import type { PackageSource } from "../settings/settings.js";
import { SettingsManager } from "../settings/settings-manager.js";
import { isDirectory, pathExists, removeTree } from "../storage/files.js";
import {
  type ConfiguredEntry,
  configuredEntries,
  identityOf,
  optionsOf,
  scopeEntries,
  sourceForSettings,
} from "./configured-packages.js";
import { filteredResources } from "./filtered-resources.js";
import * as installing from "./install-package.js";
import { PackagePlaces, type PackageScope } from "./package-places.js";
import { packageResources, readManifest, resourceKinds } from "./package-resources.js";
import { type ParsedSource, parsePackageSource } from "./package-source.js";
import type {
  ConfiguredPackage,
  MissingPackageDecision,
  PackageManager,
  PackageOptions,
  ProgressCallback,
  ProgressEvent,
  ResolvedPaths,
} from "./types.js";

export interface DefaultPackageManagerOptions {
  cwd: string;
  agentDir?: string | undefined;
  settingsManager?: SettingsManager | undefined;
  /** Kept for other programs: what npm and git say is shown when they fail. */
  commandOutput?: "inherit" | "capture" | undefined;
  /** Names that `builtin:` sources may have. */
  builtinExtensions?: string[] | undefined;
}

/** Packages from npm, git and folders, for the user and for the project. Source: extensions.md section 10. */
export class DefaultPackageManager implements PackageManager {
  readonly #settings: SettingsManager;
  readonly #places: PackagePlaces;
  readonly #cwd: string;
  #onProgress: ProgressCallback | undefined;

  constructor({ cwd, agentDir = getAgentDir(), settingsManager }: DefaultPackageManagerOptions) {
    this.#cwd = cwd;
    this.#settings = settingsManager ?? SettingsManager.create(cwd, agentDir);
    this.#places = new PackagePlaces(cwd, agentDir);
  }

  setProgressCallback(callback: ProgressCallback | undefined): void {
    this.#onProgress = callback;
  }

  async resolve(onMissing?: (source: string) => Promise<MissingPackageDecision>): Promise<ResolvedPaths> {
    const resolved = noPaths();
    const fail = (source: string, scope: PackageScope, message: string) =>
      resolved.installFailures.push({ source, scope, message });
    const entries = configuredEntries(this.#settings, this.#places, (source, message) => fail(source, "user", message));
    for (const entry of entries) {
      try {
        if (await this.#isReady(entry, onMissing)) this.#add(resolved, entry, entry.entry);
      } catch (error) {
        fail(entry.source, entry.scope, (error as Error).message);
      }
    }
    return withoutEmptyFailures(resolved);
  }

  async resolveExtensionSources(
    sources: string[],
    { local, temporary }: { local?: boolean | undefined; temporary?: boolean | undefined } = {},
  ): Promise<ResolvedPaths> {
    const scope: PackageScope = temporary ? "temporary" : local ? "project" : "user";
    const resolved = noPaths();
    for (const source of sources) {
      try {
        const parsed = parsePackageSource(source, this.#cwd);
        const folder = this.#places.folder(parsed, scope);
        // One that is not pinned is looked for anew with each start.
        const isOld = temporary && parsed.type !== "local" && !parsed.isPinned && !isOffline();
        if (isOld || !pathExists(folder)) await this.#fetch(parsed, source, scope, {});
        this.#add(resolved, { source, parsed, scope }, source);
      } catch (error) {
        resolved.installFailures.push({ source, scope, message: (error as Error).message });
      }
    }
    return withoutEmptyFailures(resolved);
  }

  async install(source: string, options: PackageOptions = {}): Promise<void> {
    const parsed = parsePackageSource(source, this.#cwd);
    const scope = scopeOf(options);
    if (parsed.type === "local" && !pathExists(parsed.path)) throw new Error(`Path does not exist: ${parsed.path}`);
    await this.#reporting("install", source, () => this.#fetch(parsed, source, scope, options));
  }

  async installAndPersist(source: string, options: PackageOptions = {}): Promise<void> {
    this.#assertWritable(options);
    await this.install(source, options);
    this.addSourceToSettings(source, options);
    await this.#settings.flush();
  }

  async remove(source: string, options: PackageOptions = {}): Promise<void> {
    const parsed = parsePackageSource(source, this.#cwd);
    const scope = scopeOf(options);
    await this.#reporting("remove", source, async () => {
      if (parsed.type === "git") removeTree(this.#places.folder(parsed, scope));
      if (parsed.type === "npm" && pathExists(this.#places.folder(parsed, scope))) {
        await installing.npmUninstall(parsed, this.#places.npmRoot(parsed, scope), this.#installOptions(source));
      }
    });
  }

  async removeAndPersist(source: string, options: PackageOptions = {}): Promise<boolean> {
    this.#assertWritable(options);
    const entry = this.#entry(source, scopeOf(options));
    if (!entry) return false;
    await this.remove(entry.parsed.type === "local" ? entry.parsed.path : entry.source, options);
    this.removeSourceFromSettings(source, options);
    await this.#settings.flush();
    return true;
  }

  async update(source?: string): Promise<void> {
    const entries = configuredEntries(this.#settings, this.#places);
    const wanted =
      source === undefined ? entries : entries.filter(({ identity }) => identity === this.#identity(source));
    if (source !== undefined && wanted.length === 0) throw new Error(this.#noMatch(source, entries));
    for (const entry of wanted) await this.#reporting("update", entry.source, () => this.#updateOne(entry));
  }

  /**
   * Packages that have a newer version than the one that is there. Asks npm and git; none while offline.
   * @param options `force`: every package that may change, also those that are up to date or not there
   */
  async checkForAvailableUpdates({
    force = false,
  }: {
    force?: boolean;
  } = {}): Promise<{ source: string; displayName: string; type: "npm" | "git"; scope: "user" | "project" }[]> {
    if (isOffline()) return [];
    const entries = configuredEntries(this.#settings, this.#places);
    const newer = await Promise.all(
      entries.map(async (entry) => ({ entry, isNewer: mayChange(entry) && (force || (await this.#hasUpdate(entry))) })),
    );
    return newer.flatMap(({ entry: { source, parsed, scope }, isNewer }) => {
      if (!isNewer || parsed.type === "local") return [];
      const displayName = parsed.type === "npm" ? parsed.name : `${parsed.host}/${parsed.path}`;
      return [{ source, displayName, type: parsed.type, scope }];
    });
  }

  listConfiguredPackages(): ConfiguredPackage[] {
    const { packages: own } = this.#settings.getGlobalSettings();
    const { packages: project } = this.#settings.getProjectSettings();
    const entries = [...scopeEntries("user", own, this.#places), ...scopeEntries("project", project, this.#places)];
    return entries.map(({ entry, source, parsed, scope }) => {
      const path = this.#places.folder(parsed, scope);
      const filtered = typeof entry === "object" && resourceKinds.some((kind) => entry[kind] !== undefined);
      return { source, scope, filtered, ...(pathExists(path) && { installedPath: path }) };
    });
  }

  addSourceToSettings(source: string, options: PackageOptions = {}): boolean {
    const parsed = parsePackageSource(source, this.#cwd);
    const scope = scopeOf(options);
    const kept = sourceForSettings(parsed, source, this.#places.settingsDir(scope));
    const entryIn = (packages: readonly PackageSource[]) =>
      scopeEntries(scope, packages, this.#places).find(({ identity }) => identity === identityOf(parsed));
    if (entryIn(this.#packages(scope))?.source === kept) return false;
    this.#edit(scope, (packages) => {
      const at = entryIn(packages);
      if (!at) return [...packages, options.allowScripts ? { source: kept, allowScripts: true } : kept];
      // Another version of the same package; what it takes of it stays.
      const entry = typeof at.entry === "string" ? kept : { ...at.entry, source: kept };
      return packages.map((one) => (one === at.entry ? entry : one));
    });
    return true;
  }

  removeSourceFromSettings(source: string, options: PackageOptions = {}): boolean {
    const scope = scopeOf(options);
    if (!this.#entry(source, scope)) return false;
    this.#edit(scope, (packages) => {
      const entry = this.#entry(source, scope, packages);
      return packages.filter((one) => one !== entry?.entry);
    });
    return true;
  }

  getInstalledPath(source: string, scope: "user" | "project"): string | undefined {
    const path = this.#places.folder(parsePackageSource(source, this.#places.settingsDir(scope)), scope);
    return pathExists(path) ? path : undefined;
  }

  async #isReady(
    entry: ConfiguredEntry,
    onMissing: ((source: string) => Promise<MissingPackageDecision>) | undefined,
  ): Promise<boolean> {
    const { parsed, source, scope } = entry;
    const folder = this.#places.folder(parsed, scope);
    if (pathExists(folder) && (await isInRange(parsed, folder))) return true;
    if (parsed.type === "local") throw new Error(`Path does not exist: ${parsed.path}`);
    const decision = isOffline() ? "error" : await (onMissing?.(source) ?? "install");
    if (decision === "skip") return false;
    if (decision === "error") throw new Error(`Package is not installed: ${source}`);
    await this.#fetch(parsed, source, scope, { allowScripts: allowsScripts(entry.entry) });
    return true;
  }

  async #fetch(parsed: ParsedSource, source: string, scope: PackageScope, options: PackageOptions): Promise<void> {
    if (parsed.type === "local") return;
    if (isOffline()) throw new Error(`Package is not installed, and PI_OFFLINE allows no network: ${source}`);
    const how = this.#installOptions(source, options);
    const root = this.#places.installRoot(parsed, scope);
    if (parsed.type === "npm") await installing.npmInstall(parsed, root, how);
    else {
      installing.prepareInstallRoot(root);
      await installing.gitClone(parsed, this.#places.folder(parsed, scope), how);
    }
  }

  async #updateOne({ parsed, source, scope, entry }: ConfiguredEntry): Promise<void> {
    if (parsed.type === "local" || parsed.isPinned) return;
    const folder = this.#places.folder(parsed, scope);
    const options = { allowScripts: allowsScripts(entry) };
    if (parsed.type === "npm" || !pathExists(folder)) await this.#fetch(parsed, source, scope, options);
    else await installing.gitUpdate(parsed, folder, this.#installOptions(source, options));
  }

  async #hasUpdate({ parsed, source, scope }: ConfiguredEntry): Promise<boolean> {
    if (parsed.type === "local") return false;
    const folder = this.#places.folder(parsed, scope);
    if (!pathExists(folder)) return false;
    try {
      if (parsed.type === "git") return await installing.hasNewerCommit(folder);
      const root = this.#places.npmRoot(parsed, scope);
      const newest = await installing.newestVersion(parsed, root, this.#installOptions(source));
      return newest !== "" && newest !== readManifest(folder).version;
    } catch {
      // Who cannot be asked has nothing newer to offer.
      return false;
    }
  }

  #add(
    resolved: ResolvedPaths,
    { source, parsed, scope, base }: Pick<ConfiguredEntry, "source" | "parsed" | "base"> & { scope: PackageScope },
    entry: PackageSource,
  ): void {
    const root = this.#places.folder(parsed, scope);
    const metadata: PathMetadata = { source, scope, origin: "package", baseDir: root, packageRoot: root };
    // A single file is an extension.
    const offered = isDirectory(root)
      ? packageResources(root)
      : { extensions: [root], skills: [], prompts: [], themes: [] };
    const { changelogPath } = isDirectory(root) ? readManifest(root) : {};
    const described = { ...metadata, ...(changelogPath !== undefined && { changelogPath }) };
    const found = filteredResources(offered, root, entry, base, described);
    for (const kind of resourceKinds) resolved[kind].push(...found[kind]);
  }

  async #reporting(action: ProgressEvent["action"], source: string, work: () => Promise<void>): Promise<void> {
    this.#onProgress?.({ type: "start", action, source });
    try {
      await work();
    } catch (error) {
      this.#onProgress?.({ type: "error", action, source, message: (error as Error).message });
      throw error;
    }
    this.#onProgress?.({ type: "complete", action, source });
  }

  #installOptions(source: string, { allowScripts }: PackageOptions = {}): installing.InstallOptions {
    const entry = this.#entry(source, "project") ?? this.#entry(source, "user");
    return {
      npmCommand: this.#settings.getNpmCommand() ?? ["npm"],
      allowsScripts: allowScripts ?? (entry !== undefined && allowsScripts(entry.entry)),
    };
  }

  #entry(source: string, scope: "user" | "project", packages = this.#packages(scope)): ConfiguredEntry | undefined {
    const identity = this.#identity(source);
    const entries = scopeEntries(scope, packages, this.#places);
    return entries.find((entry) => entry.identity === identity || entry.source === source);
  }

  #identity(source: string): string {
    return identityOf(parsePackageSource(source, this.#cwd));
  }

  #packages(scope: "user" | "project"): readonly PackageSource[] {
    const settings = scope === "user" ? this.#settings.getGlobalSettings() : this.#settings.getProjectSettings();
    return settings.packages ?? [];
  }

  #edit(scope: "user" | "project", edit: (packages: readonly PackageSource[]) => PackageSource[]): void {
    this.#settings.editPackages(scope === "user" ? "global" : "project", edit);
  }

  #assertWritable({ local }: PackageOptions): void {
    this.#settings.assertReadable();
    if (local && !this.#settings.isProjectTrusted()) {
      throw new Error("Project is not trusted. Use --approve to modify local package config.");
    }
  }

  #noMatch(source: string, entries: readonly ConfiguredEntry[]): string {
    const word = source.toLowerCase();
    const near = entries.find((entry) => entry.identity.toLowerCase().includes(word.replace(/^(npm|git):/, "")));
    return `No matching package found for ${source}${near ? `. Did you mean ${near.source}?` : ""}`;
  }
}

type Resolved = ResolvedPaths & Required<Pick<ResolvedPaths, "installFailures">>;

function noPaths(): Resolved {
  return { extensions: [], skills: [], prompts: [], themes: [], installFailures: [] };
}

function withoutEmptyFailures({ installFailures, ...paths }: Resolved): ResolvedPaths {
  return installFailures.length > 0 ? { ...paths, installFailures } : paths;
}

function scopeOf({ local }: PackageOptions): "user" | "project" {
  return local ? "project" : "user";
}

function mayChange({ parsed }: Pick<ConfiguredEntry, "parsed">): boolean {
  return parsed.type !== "local" && !parsed.isPinned;
}

function allowsScripts(entry: PackageSource): boolean {
  return optionsOf(entry).allowScripts === true;
}

async function isInRange(parsed: ParsedSource, folder: string): Promise<boolean> {
  if (parsed.type !== "npm" || parsed.range === undefined) return true;
  const { version } = readManifest(folder);
  const { default: semver } = await import("semver");
  // A tag says nothing that could be compared.
  if (semver.validRange(parsed.range) === null || version === undefined) return true;
  return semver.satisfies(version, parsed.range, { includePrerelease: true });
}

function isOffline(): boolean {
  return /^(1|true|yes)$/i.test(process.env["PI_OFFLINE"] ?? "");
}
