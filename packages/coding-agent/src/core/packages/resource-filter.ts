/** Entries of a filter that switch one resource on or off and leave the others as they are. Pure. */
import { basename, dirname, relative } from "node:path";

/** Undefined: nothing is said, which takes all. */
export type Filter = readonly string[] | undefined;

export interface FilteredGroup {
  /** Absolute. */
  paths: readonly string[];
  /** What entries are relative to. */
  baseDir: string;
  filter: Filter;
  /** Which of the paths a filter takes. */
  taken(filter: Filter): readonly boolean[];
}

/** The filter with one of its resources switched to the other state. */
export function switched(group: FilteredGroup, path: string): Filter {
  const { paths, baseDir, filter } = group;
  const states = group.taken(filter);
  const at = paths.indexOf(path);
  const isWanted = !states[at];
  const [name = path, ...others] = exactNames(path, baseDir);
  const names = [name, ...others];
  const without = (sign: string) =>
    filter?.filter((entry) => !(entry.startsWith(sign) && names.includes(entry.slice(1).replace(/^\.\//, ""))));
  const rest = without(isWanted ? "-" : "+");
  // A list that says nothing any more must not become one that takes nothing.
  const unsaid = rest?.length === 0 && filter?.length !== 0 ? undefined : rest;
  const more = (entry: string) => [...(rest ?? []), entry];
  const candidates: Filter[] = isWanted ? [unsaid, more(`+${name}`), more(name)] : [unsaid, more(`-${name}`)];
  const isRight = (candidate: Filter) =>
    group.taken(candidate).every((isTaken, index) => isTaken === (index === at ? isWanted : states[index]));
  const index = candidates.findIndex(isRight);
  return index < 0 ? candidates.at(-1) : candidates[index];
}

/** How entries may name a resource exactly; a skill is its folder. */
function exactNames(path: string, baseDir: string): string[] {
  const own = basename(path) === "SKILL.md" ? [dirname(path), path] : [path];
  return own.flatMap((one) => [relative(baseDir, one), one]).map((one) => one.replaceAll("\\", "/"));
}
