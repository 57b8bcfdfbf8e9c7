/** Where extensions come from, in load order. Source: extensions.md section 1.1. */
import { dirname, join } from "node:path";
import type { ResolvedResource } from "../packages/types.js";
import { configuredPaths, isLeft, resourceScopes } from "../resources/resource-places.js";
import type { SourceInfo } from "../resources/resource-types.js";
import type { SettingsManager } from "../settings/settings-manager.js";
import { directoryEntries, discoverExtensions, isDirectory } from "./discovery.js";
import { type ExtensionSource, inlineSources, namedSources } from "./loader.js";
import type { InlineExtension } from "./types/api.js";

export interface ExtensionSourcesOptions {
  cwd: string;
  agentDir: string;
  settingsManager: SettingsManager;
  /** Named on the command line, or by a program. */
  additional: readonly string[];
  factories: readonly InlineExtension[];
  /** Packages that were named, resolved. */
  named: readonly ExtensionSource[];
  /** Of configured packages. */
  fromPackages: readonly ResolvedResource[];
  /** Only what was named, and factories. */
  onlyNamed: boolean;
  onProblem: (path: string, message: string) => void;
}

/** Those that need nobody's trust, and those of a project that is trusted before them. */
export function extensionSources(options: ExtensionSourcesOptions): ExtensionSource[] {
  const { cwd, onlyNamed } = options;
  const scopes = resourceScopes(options).flatMap((scope) => scopeSources(scope, options));
  const packages = options.fromPackages.map(({ path, metadata }) => ({ path, sourceInfo: { path, ...metadata } }));
  return [
    ...options.named,
    ...options.additional.flatMap((path) => namedSources(path, cwd)),
    ...(onlyNamed ? [] : [...scopes, ...packages]),
    ...inlineSources(options.factories),
  ];
}

/** The settings of a scope come before what lies in its folder; their signed entries choose among both. */
function scopeSources(
  { name, baseDir, settings }: ReturnType<typeof resourceScopes>[number],
  { onProblem }: Pick<ExtensionSourcesOptions, "onProblem">,
): ExtensionSource[] {
  const folder = join(baseDir, "extensions");
  const configured = configuredPaths(settings.extensions, baseDir).flatMap((path) => {
    const files = isDirectory(path) ? directoryEntries(path) : [path];
    return (files.length > 0 ? files : [path]).map((file) => source(file, "local", name, dirname(path)));
  });
  const found = discoverExtensions(folder, onProblem).map((file) => source(file, "auto", name, folder));
  return [...configured, ...found].filter(({ path }) => isLeft(path, settings.extensions, baseDir));
}

function source(path: string, from: string, scope: SourceInfo["scope"], baseDir: string): ExtensionSource {
  return { path, sourceInfo: { path, source: from, scope, origin: "top-level", baseDir } };
}
