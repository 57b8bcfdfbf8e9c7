import { stat } from "node:fs/promises";
import type { AgentTool } from "@earendil-works/pi-agent-core";
import type { ToolDefinition } from "../extensions/types/tool.js";
import { rejectOnAbort } from "./abort.js";
import description from "./find.md?raw";
import { pathExists, resolveToCwd, toPosixPath } from "./path-utils.js";
import { compileFindPattern } from "./search/glob.js";
import { withNotices } from "./search/notices.js";
import { sortByPath } from "./search/path-order.js";
import { checkPattern } from "./search/pattern-limits.js";
import { walk } from "./search/walk.js";
import { wrapToolDefinition } from "./tool-definition-wrapper.js";
import { checkArguments, type ToolSchema, toolSchema } from "./tool-schema.js";
import { DEFAULT_MAX_BYTES, formatSize, type TruncationResult, truncateHead } from "./truncate.js";

export interface FindToolInput {
  pattern: string;
  path?: string;
  limit?: number;
}

export interface FindToolDetails {
  truncation?: TruncationResult;
  /** The limit, when more results exist. */
  resultLimitReached?: number;
}

/** Where names are searched; replace it to search another machine. */
export interface FindOperations {
  exists(absolutePath: string): boolean | Promise<boolean>;
  /** Paths that match, at most `limit`; relative to `cwd` or absolute. */
  glob(pattern: string, cwd: string, options: { ignore: string[]; limit: number }): string[] | Promise<string[]>;
}

export interface FindToolOptions {
  operations?: FindOperations;
}

const DEFAULT_LIMIT = 1000;
const CUSTOM_IGNORE = ["**/node_modules/**", "**/.git/**"];

const parameters = toolSchema<FindToolInput>({
  type: "object",
  properties: {
    pattern: { type: "string", description: 'Glob pattern, e.g. "*.ts", "**/*.json" or "src/**/*.test.ts".' },
    path: { type: "string", description: "Directory to search (default: the working directory)." },
    limit: { type: "number", description: `Most paths to show (default ${DEFAULT_LIMIT}).` },
  },
  required: ["pattern"],
});

/** The `find` tool. Source: agent-and-tools.md B7. */
export function createFindToolDefinition(
  cwd: string,
  options: FindToolOptions = {},
): ToolDefinition<ToolSchema<FindToolInput>, FindToolDetails | undefined> {
  return {
    name: "find",
    label: "find",
    description: description.trim(),
    parameters,
    promptSnippet: "Find files by name",
    execute(_toolCallId, params, signal, _onUpdate, ctx) {
      return rejectOnAbort(signal, async () => {
        checkArguments("find", parameters, params);
        if (params.pattern === "") throw new Error('Pattern is empty. Use "*" to find everything.');
        checkPattern(params.pattern);
        const dir = resolveToCwd(params.path ?? "", ctx?.cwd || cwd);
        const limit = Math.max(1, Math.floor(params.limit ?? DEFAULT_LIMIT));
        const { operations } = options;
        const { text, details } = operations
          ? await findWith(operations, params.pattern, dir, limit)
          : await findHere(params.pattern, dir, limit, signal);
        return { content: [{ type: "text" as const, text }], details };
      });
    },
  };
}

/** The `find` tool as the agent loop runs it. */
export function createFindTool(
  cwd: string,
  options?: FindToolOptions,
): AgentTool<ToolSchema<FindToolInput>, FindToolDetails | undefined> {
  return wrapToolDefinition(createFindToolDefinition(cwd, options));
}

interface Found {
  text: string;
  details: FindToolDetails | undefined;
}

async function findHere(pattern: string, dir: string, limit: number, signal: AbortSignal | undefined): Promise<Found> {
  if (!(await pathExists(dir))) throw new Error(`Path not found: ${dir}`);
  if (!(await stat(dir)).isDirectory()) throw new Error(`Not a directory: ${dir}`);
  const matches = await compileFindPattern(pattern, toPosixPath(dir));
  const entries = await walk({
    root: dir,
    // Outside a repository `.gitignore` says all the same what is of interest.
    requireGit: false,
    wants: (path, entry) => matches(path, entry.isDirectory()),
    signal,
  });
  const paths = sortByPath(entries).map(({ path, isDirectory }) => (isDirectory ? `${path}/` : path));
  return present(paths, limit, `. Use limit=${limit * 2} for more, or refine pattern`);
}

async function findWith(operations: FindOperations, pattern: string, dir: string, limit: number): Promise<Found> {
  if (!(await operations.exists(dir))) throw new Error(`Path not found: ${dir}`);
  const found = await operations.glob(pattern, dir, { ignore: [...CUSTOM_IGNORE], limit: limit + 1 });
  const root = toPosixPath(dir);
  const prefix = root.endsWith("/") ? root : `${root}/`;
  const paths = found.map(toPosixPath).map((path) => (path.startsWith(prefix) ? path.slice(prefix.length) : path));
  return present(paths, limit, "");
}

function present(paths: readonly string[], limit: number, hint: string): Found {
  if (paths.length === 0) return { text: "No files found matching pattern", details: undefined };
  const truncation = truncateHead(paths.slice(0, limit).join("\n"), { maxLines: Number.MAX_SAFE_INTEGER });
  const details: FindToolDetails = {};
  const notices: string[] = [];
  if (paths.length > limit) {
    details.resultLimitReached = limit;
    notices.push(`${limit} results limit reached${hint}`);
  }
  if (truncation.truncated) {
    details.truncation = truncation;
    notices.push(`${formatSize(DEFAULT_MAX_BYTES)} limit reached`);
  }
  return { text: withNotices(truncation.content, notices), details: notices.length > 0 ? details : undefined };
}
