import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { AgentTool } from "@earendil-works/pi-agent-core";
import type { ToolDefinition } from "../extensions/types/tool.js";
import { rejectOnAbort } from "./abort.js";
import description from "./ls.md?raw";
import { pathExists, resolveToCwd } from "./path-utils.js";
import { wrapToolDefinition } from "./tool-definition-wrapper.js";
import { checkArguments, type ToolSchema, toolSchema } from "./tool-schema.js";
import { DEFAULT_MAX_BYTES, formatSize, type TruncationResult, truncateHead } from "./truncate.js";

export interface LsToolInput {
  path?: string;
  limit?: number;
}

export interface LsToolDetails {
  truncation?: TruncationResult;
  /** The limit, when more entries exist. */
  entryLimitReached?: number;
}

/** What `ls` asks of a file system; all may answer synchronously. */
export interface LsOperations {
  exists(absolutePath: string): boolean | Promise<boolean>;
  /** Follows links. */
  stat(absolutePath: string): { isDirectory(): boolean } | Promise<{ isDirectory(): boolean }>;
  readdir(absolutePath: string): string[] | Promise<string[]>;
}

export interface LsToolOptions {
  operations?: LsOperations;
}

const DEFAULT_LIMIT = 500;

const parameters = toolSchema<LsToolInput>({
  type: "object",
  properties: {
    path: { type: "string", description: "Directory to list (default: the working directory)." },
    limit: { type: "number", description: `Most entries to show (default ${DEFAULT_LIMIT}).` },
  },
});

const localOperations: LsOperations = { exists: pathExists, stat, readdir };

/**
 * Sorts names as `ls` shows them: letters without case, the same on every machine whatever its locale.
 */
export function sortNames(names: readonly string[]): string[] {
  // Loading a collation takes a dozen milliseconds: not while the program starts.
  const collator = new Intl.Collator("en");
  return names
    .map((name) => ({ name, key: name.toLowerCase() }))
    .sort((a, b) => collator.compare(a.key, b.key) || (a.name < b.name ? -1 : 1))
    .map(({ name }) => name);
}

/** The `ls` tool. Source: agent-and-tools.md B5. */
export function createLsToolDefinition(
  cwd: string,
  options: LsToolOptions = {},
): ToolDefinition<ToolSchema<LsToolInput>, LsToolDetails | undefined> {
  const operations = options.operations ?? localOperations;
  return {
    name: "ls",
    label: "ls",
    description: description.trim(),
    parameters,
    promptSnippet: "List a directory",
    execute(_toolCallId, params, signal, _onUpdate, ctx) {
      return rejectOnAbort(signal, async () => {
        checkArguments("ls", parameters, params);
        const { path, limit } = params;
        const dir = resolveToCwd(path ?? "", ctx?.cwd || cwd);
        const { text, details } = await list(operations, dir, Math.max(1, Math.floor(limit ?? DEFAULT_LIMIT)));
        return { content: [{ type: "text" as const, text }], details };
      });
    },
  };
}

/** The `ls` tool as the agent loop runs it. */
export function createLsTool(
  cwd: string,
  options?: LsToolOptions,
): AgentTool<ToolSchema<LsToolInput>, LsToolDetails | undefined> {
  return wrapToolDefinition(createLsToolDefinition(cwd, options));
}

async function list(
  operations: LsOperations,
  dir: string,
  limit: number,
): Promise<{ text: string; details: LsToolDetails | undefined }> {
  if (!(await operations.exists(dir))) throw new Error(`Path not found: ${dir}`);
  if (!(await operations.stat(dir)).isDirectory()) throw new Error(`Not a directory: ${dir}`);
  let names: string[];
  try {
    names = await operations.readdir(dir);
  } catch (error) {
    throw new Error(`Cannot read directory: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  if (names.length === 0) return { text: "(empty directory)", details: undefined };

  const shown = sortNames(names).slice(0, limit);
  const entries = await Promise.all(
    shown.map(async (name) => ((await isDirectory(operations, join(dir, name))) ? `${name}/` : name)),
  );
  const truncation = truncateHead(entries.join("\n"), { maxLines: Number.MAX_SAFE_INTEGER });
  const details: LsToolDetails = {};
  const notices: string[] = [];
  if (names.length > limit) {
    details.entryLimitReached = limit;
    notices.push(`${limit} entries limit reached. Use limit=${limit * 2} for more`);
  }
  if (truncation.truncated) {
    details.truncation = truncation;
    notices.push(`${formatSize(DEFAULT_MAX_BYTES)} limit reached`);
  }
  return notices.length > 0
    ? { text: `${truncation.content}\n\n[${notices.join(". ")}]`, details }
    : { text: truncation.content, details: undefined };
}

/** Dangling links and entries that cannot be looked at are listed too, as plain names. */
async function isDirectory(operations: LsOperations, path: string): Promise<boolean> {
  try {
    return (await operations.stat(path)).isDirectory();
  } catch {
    return false;
  }
}
