/** Where extensions come from, in load order. Source: extensions.md section 1.1. */
import { dirname, join } from "node:path";
import { CONFIG_DIR_NAME } from "../../config.js";
import { isEnabled, isGlob, isIncluded, patternEntries } from "../packages/resource-patterns.js";
import type { ResolvedResource } from "../packages/types.js";
import type { SourceInfo } from "../resources/resource-types.js";
import { resolveUserPath } from "../session-store/paths.js";
import type { SettingsManager } from "../settings/settings-manager.js";
import { discoverExtensions, isDirectory } from "./discovery.js";
import { type ExtensionSource, inlineSources, namedSources } from "./loader.js";
import type { InlineExtension } from "./types/api.js";

export interface ExtensionSourcesOptions {
  cwd: string;
  agentDir: string;
  settingsManager: SettingsManager;
  /** Named on the command line, or by a program; of packages what they offer. */
  additional: readonly (string | ResolvedResource)[];
  /** Of the packages in the settings. */
  packaged: readonly ResolvedResource[];
  factories: readonly InlineExtension[];
  /** Only what was named, and factories. */
  onlyNamed: boolean;
  onProblem: (path: string, message: string) => void;
}

/** Those that need nobody's trust, and those of a project that is trusted between them. */
export function extensionSources(options: ExtensionSourcesOptions): ExtensionSource[] {
  const { cwd, agentDir, settingsManager, onlyNamed } = options;
  const project = settingsManager.isProjectTrusted()
    ? scopeSources("project", join(cwd, CONFIG_DIR_NAME), settingsManager.getProjectSettings().extensions, options)
    : [];
  const user = scopeSources("user", agentDir, settingsManager.getGlobalSettings().extensions, options);
  return [
    ...options.additional.flatMap((named) => (typeof named === "string" ? namedSources(named, cwd) : packaged(named))),
    ...(onlyNamed ? [] : [...project, ...user, ...options.packaged.flatMap(packaged)]),
    ...inlineSources(options.factories),
  ];
}

/** The settings of a scope come before what lies in its folder; their signed entries choose among both. */
function scopeSources(
  scope: "project" | "user",
  baseDir: string,
  configured: readonly string[] = [],
  { onProblem }: Pick<ExtensionSourcesOptions, "onProblem">,
): ExtensionSource[] {
  const folder = join(baseDir, "extensions");
  const entries = patternEntries(configured);
  const globs = entries.plain.filter(isGlob);
  const isChosen = (path: string) => globs.length === 0 || globs.some((glob) => isIncluded(path, baseDir, glob));
  const named = entries.plain
    .filter((entry) => !isGlob(entry))
    .flatMap((entry) => {
      const path = resolveUserPath(entry, baseDir);
      const files = isDirectory(path) ? discoverExtensions(path, onProblem) : [path];
      return files.map((file) => source(file, "local", scope, dirname(path)));
    })
    .filter(({ path }) => isEnabled(path, baseDir, entries, isChosen(path)));
  const found = discoverExtensions(folder, onProblem)
    .map((file) => source(file, "auto", scope, folder))
    .filter(({ path }) => isEnabled(path, baseDir, entries, true));
  return [...named, ...found];
}

function source(path: string, from: string, scope: SourceInfo["scope"], baseDir: string): ExtensionSource {
  return { path, sourceInfo: { path, source: from, scope, origin: "top-level", baseDir } };
}

function packaged({ path, metadata: { packageRoot: _, ...info } }: ResolvedResource): ExtensionSource[] {
  return [{ path, sourceInfo: { ...info, path } }];
}
