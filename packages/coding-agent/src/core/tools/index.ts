/**
 * The seven built-in tools. Source: agent-and-tools.md B.
 */
import type { AgentTool } from "@earendil-works/pi-agent-core";
import type { ToolDefinition } from "../extensions/types/tool.js";
import { type BashToolOptions, createBashTool, createBashToolDefinition } from "./bash.js";
import { createEditTool, createEditToolDefinition, type EditToolOptions } from "./edit.js";
import { createFindTool, createFindToolDefinition, type FindToolOptions } from "./find.js";
import { createGrepTool, createGrepToolDefinition, type GrepToolOptions } from "./grep.js";
import { createLsTool, createLsToolDefinition, type LsToolOptions } from "./ls.js";
import { createReadTool, createReadToolDefinition, type ReadToolOptions } from "./read.js";
import type { ToolName } from "./tool-names.js";
import { createWriteTool, createWriteToolDefinition, type WriteToolOptions } from "./write.js";

export {
  type BashExecOptions,
  type BashExecResult,
  type BashOperations,
  type BashOperations as PowerShellOperations,
  createLocalBashOperations,
  createLocalPowerShellOperations,
} from "../process/local-bash-operations.js";
export { getPowerShellConfig, getShellConfig, type ShellConfig } from "../process/shell.js";
export * from "./bash.js";
export * from "./edit.js";
export { type EditDiffResult, generateDiffString, generateUnifiedPatch } from "./edit-diff.js";
export { withFileMutationQueue } from "./file-mutation-queue.js";
export * from "./find.js";
export * from "./grep.js";
export * from "./ls.js";
export { OutputAccumulator, type OutputAccumulatorOptions, type OutputSnapshot } from "./output-accumulator.js";
export * from "./powershell.js";
export { formatReadLineRange } from "./read/line-range.js";
export * from "./read.js";
export { allToolNames, defaultToolNames, type ToolName } from "./tool-names.js";
export {
  DEFAULT_MAX_BYTES,
  DEFAULT_MAX_LINES,
  formatSize,
  type TruncationOptions,
  type TruncationResult,
  truncateHead,
  truncateLine,
  truncateTail,
} from "./truncate.js";
export { type BashResult, runUserCommand, type UserCommandOptions } from "./user-command.js";
export * from "./write.js";

/** Options of each tool. */
export interface ToolsOptions {
  read?: ReadToolOptions;
  bash?: BashToolOptions;
  edit?: EditToolOptions;
  write?: WriteToolOptions;
  grep?: GrepToolOptions;
  find?: FindToolOptions;
  ls?: LsToolOptions;
}

/** All built-in definitions, by name. */
export function createAllToolDefinitions(cwd: string, options: ToolsOptions = {}): Record<ToolName, ToolDefinition> {
  // Registries hold tools of any parameters and details.
  return {
    read: createReadToolDefinition(cwd, options.read),
    bash: createBashToolDefinition(cwd, options.bash),
    edit: createEditToolDefinition(cwd, options.edit),
    write: createWriteToolDefinition(cwd, options.write),
    grep: createGrepToolDefinition(cwd, options.grep),
    find: createFindToolDefinition(cwd, options.find),
    ls: createLsToolDefinition(cwd, options.ls),
  } as Record<ToolName, ToolDefinition>;
}

/** All built-in tools, by name. */
export function createAllTools(cwd: string, options: ToolsOptions = {}): Record<ToolName, AgentTool> {
  return {
    read: createReadTool(cwd, options.read),
    bash: createBashTool(cwd, options.bash),
    edit: createEditTool(cwd, options.edit),
    write: createWriteTool(cwd, options.write),
    grep: createGrepTool(cwd, options.grep),
    find: createFindTool(cwd, options.find),
    ls: createLsTool(cwd, options.ls),
  };
}

/**
 * One built-in tool by name.
 *
 * @throws Error `Unknown tool name: <name>`
 */
export function createTool(name: string, cwd: string, options: ToolsOptions = {}): AgentTool {
  const tools = createAllTools(cwd, options);
  const tool = Object.hasOwn(tools, name) ? tools[name as ToolName] : undefined;
  if (!tool) throw new Error(`Unknown tool name: ${name}`);
  return tool;
}

/** read, bash, edit, write. */
export function createCodingTools(cwd: string, options: ToolsOptions = {}): AgentTool[] {
  const { read, bash, edit, write } = createAllTools(cwd, options);
  return [read, bash, edit, write];
}

/** The definitions of `createCodingTools`. */
export function createCodingToolDefinitions(cwd: string, options: ToolsOptions = {}): ToolDefinition[] {
  const { read, bash, edit, write } = createAllToolDefinitions(cwd, options);
  return [read, bash, edit, write];
}

/** read, grep, find, ls. */
export function createReadOnlyTools(cwd: string, options: ToolsOptions = {}): AgentTool[] {
  const { read, grep, find, ls } = createAllTools(cwd, options);
  return [read, grep, find, ls];
}

/** The definitions of `createReadOnlyTools`. */
export function createReadOnlyToolDefinitions(cwd: string, options: ToolsOptions = {}): ToolDefinition[] {
  const { read, grep, find, ls } = createAllToolDefinitions(cwd, options);
  return [read, grep, find, ls];
}
