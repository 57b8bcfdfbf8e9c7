import { stat } from "node:fs/promises";
import type { AgentTool } from "@earendil-works/pi-agent-core";
import type { ToolDefinition } from "../extensions/types/tool.js";
import { rejectOnAbort } from "./abort.js";
import description from "./grep.md?raw";
import { pathExists, resolveToCwd } from "./path-utils.js";
import { checkRegularFile, NotRegularFileError } from "./regular-file.js";
import type { GrepQuery, GrepResult } from "./search/grep-query.js";
import { withNotices } from "./search/notices.js";
import { checkPattern, withShortMessage } from "./search/pattern-limits.js";
import { findRipgrep, RipgrepStartError } from "./search/ripgrep.js";
import { searchUnlessStuck } from "./search/unless-stuck.js";
import { wrapToolDefinition } from "./tool-definition-wrapper.js";
import { checkArguments, type ToolSchema, toolSchema } from "./tool-schema.js";
import {
  DEFAULT_MAX_BYTES,
  formatSize,
  MAX_SEARCH_LINE_LENGTH,
  type TruncationResult,
  truncateHead,
} from "./truncate.js";

export interface GrepToolInput {
  pattern: string;
  path?: string;
  glob?: string;
  ignoreCase?: boolean;
  literal?: boolean;
  context?: number;
  limit?: number;
}

export interface GrepToolDetails {
  truncation?: TruncationResult;
  /** The limit, when more matches exist. */
  matchLimitReached?: number;
  /** Lines over 500 UTF-16 units were cut. */
  linesTruncated?: boolean;
}

/** What `grep` asks of a file system; the search itself runs where the agent runs. */
export interface GrepOperations {
  /** Rejects or throws when there is nothing under the path. */
  isDirectory(absolutePath: string): boolean | Promise<boolean>;
  /** Accepted, not used. */
  readFile?(absolutePath: string): string | Promise<string>;
}

export interface GrepToolOptions {
  operations?: GrepOperations;
}

const DEFAULT_LIMIT = 100;

const parameters = toolSchema<GrepToolInput>({
  type: "object",
  properties: {
    pattern: { type: "string", description: "Regular expression, or the text itself with literal." },
    path: { type: "string", description: "Directory or file to search (default: the working directory)." },
    glob: { type: "string", description: 'Only files that match, e.g. "*.ts" or "!*.test.ts"; relative to path.' },
    ignoreCase: { type: "boolean", description: "Ignore upper and lower case (default false)." },
    literal: { type: "boolean", description: "Take pattern as plain text (default false)." },
    context: { type: "number", description: "Lines to show before and after each match (default 0)." },
    limit: { type: "number", description: `Most matches to show (default ${DEFAULT_LIMIT}).` },
  },
  required: ["pattern"],
});

const localOperations: GrepOperations = {
  isDirectory: async (path) => {
    await checkRegularFile(path);
    return (await stat(path)).isDirectory();
  },
};

/** The `grep` tool. Source: agent-and-tools.md B6. */
export function createGrepToolDefinition(
  cwd: string,
  options: GrepToolOptions = {},
): ToolDefinition<ToolSchema<GrepToolInput>, GrepToolDetails | undefined> {
  const operations = options.operations ?? localOperations;
  return {
    name: "grep",
    label: "grep",
    description: description.trim(),
    parameters,
    promptSnippet: "Search file contents",
    execute(_toolCallId, params, signal, _onUpdate, ctx) {
      return rejectOnAbort(signal, async () => {
        checkArguments("grep", parameters, params);
        const { text, details } = await search(params, ctx?.cwd || cwd, operations, signal);
        return { content: [{ type: "text" as const, text }], details };
      });
    },
  };
}

/** The `grep` tool as the agent loop runs it. */
export function createGrepTool(
  cwd: string,
  options?: GrepToolOptions,
): AgentTool<ToolSchema<GrepToolInput>, GrepToolDetails | undefined> {
  return wrapToolDefinition(createGrepToolDefinition(cwd, options));
}

async function search(
  params: GrepToolInput,
  cwd: string,
  operations: GrepOperations,
  signal: AbortSignal | undefined,
): Promise<{ text: string; details: GrepToolDetails | undefined }> {
  const path = resolveToCwd(params.path ?? "", cwd);
  let isDirectory: boolean;
  try {
    isDirectory = await operations.isDirectory(path);
  } catch (error) {
    if (error instanceof NotRegularFileError) throw error;
    throw new Error(`Path not found: ${path}`, { cause: error });
  }
  const query: GrepQuery = {
    pattern: params.pattern,
    path,
    isDirectory,
    glob: params.glob || undefined,
    ignoreCase: params.ignoreCase === true,
    literal: params.literal === true,
    context: Math.max(0, Math.floor(params.context ?? 0)),
    limit: Math.max(1, Math.floor(params.limit ?? DEFAULT_LIMIT)),
  };
  return present(await searchFiles(query, signal), query.limit);
}

async function searchFiles(query: GrepQuery, signal: AbortSignal | undefined): Promise<GrepResult> {
  checkPattern(query.pattern);
  checkPattern(query.glob ?? "");
  try {
    return await searchWithAny(query, signal);
  } catch (error) {
    throw withShortMessage(error);
  }
}

/** By ripgrep, and without it where it does not run. */
async function searchWithAny(query: GrepQuery, signal: AbortSignal | undefined): Promise<GrepResult> {
  const program = await findRipgrep();
  try {
    const found = program && (await searchUnlessStuck(program, query, signal));
    if (found) return found;
  } catch (error) {
    if (!(error instanceof RipgrepStartError && (await pathExists(query.path)))) throw error;
  }
  const { searchWithoutRipgrep } = await import("./search/js-search.js");
  return searchWithoutRipgrep(query, signal);
}

function present(found: GrepResult, limit: number): { text: string; details: GrepToolDetails | undefined } {
  if (found.lines.length === 0) return { text: "No matches found", details: undefined };
  const truncation = truncateHead(found.lines.join("\n"), { maxLines: Number.MAX_SAFE_INTEGER });
  const details: GrepToolDetails = {};
  const notices: string[] = [];
  if (found.hasMore) {
    details.matchLimitReached = limit;
    notices.push(`${limit} matches limit reached. Use limit=${limit * 2} for more, or refine pattern`);
  }
  if (truncation.truncated) {
    details.truncation = truncation;
    notices.push(`${formatSize(DEFAULT_MAX_BYTES)} limit reached`);
  }
  if (found.linesTruncated) {
    details.linesTruncated = true;
    notices.push(`Some lines truncated to ${MAX_SEARCH_LINE_LENGTH} chars. Use read tool to see full lines`);
  }
  return { text: withNotices(truncation.content, notices), details: notices.length > 0 ? details : undefined };
}
