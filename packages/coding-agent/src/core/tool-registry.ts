/** Which tools a session has and which of them are active. Pure. Source: cli-and-config.md sections 1.3, 7.1. */
import type { RegisteredTool, ToolDefinition } from "./extensions/types.js";
import type { SourceInfo } from "./resources/resource-types.js";
import { createSyntheticSourceInfo } from "./resources/source-info.js";
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
  sourceInfos: ReadonlyMap<string, SourceInfo>;
  /** Names of the tools that are active at first, in order. */
  active: string[];
}

/** Where tools come from; a later one takes the place of an earlier one of the same name. */
export interface ToolSources {
  builtin: readonly ToolDefinition[];
  extensions: readonly RegisteredTool[];
  /** Of the program that embeds the agent. */
  custom: readonly ToolDefinition[];
}

/**
 * @param defaults active without a selection
 * @throws `Invalid tools option: tool names cannot be mixed with +name or -name entries`
 */
export function selectTools(
  { builtin, extensions, custom }: ToolSources,
  defaults: readonly string[],
  { tools, excludeTools = [], noTools }: ToolSelection,
): ToolRegistry {
  const changes = tools?.filter((name) => /^[+-]/.test(name)) ?? [];
  if (tools && changes.length > 0 && changes.length < tools.length) {
    throw new Error("Invalid tools option: tool names cannot be mixed with +name or -name entries");
  }
  const allowed = noTools === "all" ? [] : tools && changes.length === 0 ? tools : undefined;
  const definitions = new Map<string, ToolDefinition>();
  const sourceInfos = new Map<string, SourceInfo>();
  const add = (definition: ToolDefinition, sourceInfo: SourceInfo) => {
    definitions.set(definition.name, definition);
    sourceInfos.set(definition.name, sourceInfo);
  };
  const made = (kind: string, { name }: ToolDefinition) =>
    createSyntheticSourceInfo(`${kind}:${name}`, { source: kind });
  if (noTools !== "builtin") for (const tool of builtin) add(tool, made("builtin", tool));
  for (const { definition, sourceInfo } of extensions) add(definition, sourceInfo);
  for (const tool of custom) add(tool, made("sdk", tool));
  for (const name of definitions.keys()) {
    const isOut = matchesAny(name, excludeTools) || (allowed !== undefined && !matchesAny(name, allowed));
    if (isOut) definitions.delete(name);
  }
  const added = [...extensions.map(({ definition }) => definition), ...custom].filter(isActiveByItself);
  const initial = [...new Set([...defaults, ...added.map((tool) => tool.name)])];
  const preset = changes.length > 0 ? applyToolChanges(changes, initial) : initial;
  const names = allowed ? orderedBy(allowed, [...definitions.keys()]) : preset;
  const active = names.filter((name) => isVisible(definitions.get(name)));
  return { definitions, sourceInfos, active };
}

/** Whether a tool can be active at all: `hidden` withdraws it. */
export function isVisible(tool: ToolDefinition | undefined): tool is ToolDefinition {
  return tool !== undefined && tool.exposure !== "hidden";
}

function isActiveByItself({ exposure = "direct", defaultActive = true }: ToolDefinition): boolean {
  return defaultActive && (exposure === "direct" || exposure === "model-only");
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
