/** The parts of a package that its entry in the settings takes. Source: extensions.md sections 1.4 and 10.3. */
import type { PathMetadata } from "../resources/resource-types.js";
import type { PackageSource } from "../settings/settings.js";
import { optionsOf } from "./configured-packages.js";
import { type PackageResources, resourceKinds } from "./package-resources.js";
import { isEnabled, isIncluded, patternEntries } from "./resource-patterns.js";
import type { ResolvedPaths } from "./types.js";

/**
 * @param root of the package
 * @param base the user's entry, when the project's only changes it
 */
export function filteredResources(
  offered: PackageResources,
  root: string,
  entry: PackageSource,
  base: PackageSource | undefined,
  metadata: PathMetadata,
): ResolvedPaths {
  const resolved: ResolvedPaths = { extensions: [], skills: [], prompts: [], themes: [] };
  for (const kind of resourceKinds) {
    const filter = optionsOf(entry)[kind];
    const isAuto = optionsOf(entry).autoload !== false;
    for (const path of offered[kind]) {
      const standard = base ? isTaken(path, root, optionsOf(base)[kind], true) : isAuto;
      const enabled = isAuto ? isTaken(path, root, filter, standard) : isChanged(path, root, filter, standard);
      resolved[kind].push({ path, enabled, metadata });
    }
  }
  return resolved;
}

/** No filter takes all, an empty one nothing; one with only signed entries begins with all. */
function isTaken(path: string, root: string, filter: readonly string[] | undefined, standard: boolean): boolean {
  if (!filter) return standard;
  if (filter.length === 0) return false;
  const entries = patternEntries(filter);
  const included = entries.plain.length === 0 ? standard : entries.plain.some((one) => isIncluded(path, root, one));
  return isEnabled(path, root, entries, included);
}

/** Plain entries add, signed ones add and take away; the rest stays as it was. */
function isChanged(path: string, root: string, filter: readonly string[] | undefined, standard: boolean): boolean {
  const entries = patternEntries(filter ?? []);
  const isAdded = entries.plain.some((one) => isIncluded(path, root, one));
  return isEnabled(path, root, entries, standard || isAdded);
}
