/** The contract of packages. Source: exports.md section 4.4. */
import type { PathMetadata } from "../resources/resource-types.js";
import type { PackageScope } from "./package-places.js";

export interface ResolvedResource {
  path: string;
  /** False: a filter leaves it out. */
  enabled: boolean;
  metadata: PathMetadata;
}

export interface PackageInstallFailure {
  source: string;
  scope: PackageScope;
  message: string;
}

export interface ResolvedPaths {
  extensions: ResolvedResource[];
  skills: ResolvedResource[];
  prompts: ResolvedResource[];
  themes: ResolvedResource[];
  /** Packages that are not there and could not be got; their resources are missing. */
  installFailures?: PackageInstallFailure[];
}

export interface ProgressEvent {
  type: "start" | "progress" | "complete" | "error" | "result";
  action: "install" | "remove" | "update" | "clone" | "pull";
  source: string;
  message?: string;
}

export type ProgressCallback = (event: ProgressEvent) => void;

/** What to do about a configured package that is not there. */
export type MissingPackageDecision = "install" | "skip" | "error";

export interface ConfiguredPackage {
  source: string;
  scope: "user" | "project";
  /** Only some of its parts are taken. */
  filtered: boolean;
  installedPath?: string;
}

export interface PackageOptions {
  /** The project's settings instead of the user's. */
  local?: boolean | undefined;
  /** Code of the package may run while it is installed. */
  allowScripts?: boolean | undefined;
}

export interface PackageManager {
  /** The resources of all configured packages; installs those that are missing, unless told otherwise. */
  resolve(onMissing?: (source: string) => Promise<MissingPackageDecision>): Promise<ResolvedPaths>;
  /** The resources of some sources, which need not be configured. */
  resolveExtensionSources(
    sources: string[],
    options?: { local?: boolean | undefined; temporary?: boolean | undefined },
  ): Promise<ResolvedPaths>;
  install(source: string, options?: PackageOptions): Promise<void>;
  installAndPersist(source: string, options?: PackageOptions): Promise<void>;
  remove(source: string, options?: PackageOptions): Promise<void>;
  /** @returns false when the settings name no such package */
  removeAndPersist(source: string, options?: PackageOptions): Promise<boolean>;
  /** All packages, or one. @throws Error `No matching package found for <source>` */
  update(source?: string): Promise<void>;
  listConfiguredPackages(): ConfiguredPackage[];
  /** @returns false when it is there already */
  addSourceToSettings(source: string, options?: PackageOptions): boolean;
  removeSourceFromSettings(source: string, options?: PackageOptions): boolean;
  setProgressCallback(callback: ProgressCallback | undefined): void;
  getInstalledPath(source: string, scope: "user" | "project"): string | undefined;
}
