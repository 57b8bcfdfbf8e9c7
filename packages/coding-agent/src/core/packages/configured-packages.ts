/** The packages that settings name. Source: extensions.md section 10.3. */
import { relative } from "node:path";
import type { PackageSource } from "../settings/settings.js";
import type { SettingsManager } from "../settings/settings-manager.js";
import { canonicalFolder } from "../storage/files.js";
import type { PackagePlaces } from "./package-places.js";
import { type ParsedSource, packageIdentity, parsePackageSource } from "./package-source.js";

export interface ConfiguredEntry {
  entry: PackageSource;
  source: string;
  parsed: ParsedSource;
  identity: string;
  scope: "user" | "project";
  /** The user's entry of the same package, which this one only changes. */
  base?: PackageSource;
}

/**
 * The entries of both scopes, the project's first. Of two entries for one package the project's counts; one with
 * `autoload: false` changes the user's.
 * @param onInvalid told of entries that lead nowhere
 */
export function configuredEntries(
  settings: SettingsManager,
  places: PackagePlaces,
  onInvalid: (source: string, message: string) => void = () => {},
): ConfiguredEntry[] {
  const project = scopeEntries("project", settings.getProjectSettings().packages, places, onInvalid);
  const user = scopeEntries("user", settings.getGlobalSettings().packages, places, onInvalid);
  const entries = project.map((entry) => {
    const base = user.find(({ identity }) => identity === entry.identity);
    return base && optionsOf(entry.entry).autoload === false ? { ...entry, base: base.entry } : entry;
  });
  return [...entries, ...user.filter(({ identity }) => !project.some((entry) => entry.identity === identity))];
}

export function scopeEntries(
  scope: "user" | "project",
  packages: readonly PackageSource[] | undefined,
  places: PackagePlaces,
  onInvalid: (source: string, message: string) => void = () => {},
): ConfiguredEntry[] {
  return (packages ?? []).flatMap((entry) => {
    const { source } = optionsOf(entry);
    try {
      const parsed = parsePackageSource(source, places.settingsDir(scope));
      return [{ entry, source, parsed, identity: identityOf(parsed), scope }];
    } catch (error) {
      onInvalid(source, (error as Error).message);
      return [];
    }
  });
}

export function identityOf(parsed: ParsedSource): string {
  return packageIdentity(parsed, canonicalFolder);
}

export function optionsOf(entry: PackageSource): Exclude<PackageSource, string> {
  return typeof entry === "string" ? { source: entry } : entry;
}

/** A source as settings keep it: local paths are relative to their folder, so that it can be moved. */
export function sourceForSettings(parsed: ParsedSource, source: string, settingsDir: string): string {
  if (parsed.type !== "local") return source.trim();
  const path = relative(settingsDir, parsed.path).replaceAll("\\", "/");
  return path === "" ? "." : path.startsWith(".") ? path : `./${path}`;
}
