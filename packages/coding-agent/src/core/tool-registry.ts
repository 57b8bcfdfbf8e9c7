/** Which tools a session has and which of them are active. Pure. Source: cli-and-config.md sections 1.3, 7.1. */
import type { ToolDefinition } from "./extensions/types.js";
import { applyToolChanges } from "./settings/settings-values.js";

export interface ToolSelection {
  /** Only these (`*` patterns), or only `+name`/`-name` changes of the defaults. */
  tools?: readonly string[] | undefined;
  /** Never these; patterns, applied last. */
  excludeTools?: readonly string[] | undefined;
  noTools?: "all" | "builtin" | undefined;
}

export interface ToolRegistry {
  definitions: ReadonlyMap<string, ToolDefinition>;
  /** Names of the tools that are active at first, in order. */
  active: string[];
}

/**
 * @param defaults active without a selection
 * @throws `Invalid tools option: tool names cannot be mixed with +name or -name entries`
 */
export function selectTools(
  builtin: readonly ToolDefinition[],
  custom: readonly ToolDefinition[],
  defaults: readonly string[],
  { tools, excludeTools = [], noTools }: ToolSelection,
): ToolRegistry {
  const changes = tools?.filter((name) => /^[+-]/.test(name)) ?? [];
  if (tools && changes.length > 0 && changes.length < tools.length) {
    throw new Error("Invalid tools option: tool names cannot be mixed with +name or -name entries");
  }
  const allowed = noTools === "all" ? [] : tools && changes.length === 0 ? tools : undefined;
  const definitions = new Map<string, ToolDefinition>();
  // A custom tool takes the place of a built-in one of the same name.
  for (const tool of [...(noTools === "builtin" ? [] : builtin), ...custom]) definitions.set(tool.name, tool);
  for (const name of definitions.keys()) {
    const isOut = matchesAny(name, excludeTools) || (allowed !== undefined && !matchesAny(name, allowed));
    if (isOut) definitions.delete(name);
  }
  const initial = [...defaults, ...custom.map((tool) => tool.name)];
  const preset = changes.length > 0 ? applyToolChanges(changes, initial) : initial;
  const names = allowed ? orderedBy(allowed, [...definitions.keys()]) : preset;
  return { definitions, active: names.filter((name) => definitions.has(name)) };
}

/** Entries of a selection that no tool fits, each once: most likely misspelt. */
export function unmatchedNames(entries: readonly string[], names: readonly string[]): string[] {
  const fits = (entry: string) => names.some((name) => matchesAny(name, [entry.replace(/^[+-]/, "")]));
  return [...new Set(entries)].filter((entry) => !fits(entry));
}

/** Names in the order of the patterns that match them. */
function orderedBy(patterns: readonly string[], names: readonly string[]): string[] {
  return [...new Set(patterns.flatMap((pattern) => names.filter((name) => matchesAny(name, [pattern]))))];
}

function matchesAny(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const expression = pattern
      .split("*")
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join(".*");
    return new RegExp(`^${expression}$`).test(name);
  });
}
