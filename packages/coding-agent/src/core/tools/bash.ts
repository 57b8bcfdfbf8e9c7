import type { AgentTool } from "@earendil-works/pi-agent-core";
import { type BashOperations, createLocalBashOperations } from "../process/local-bash-operations.js";
import {
  type BashSpawnContext,
  type BashSpawnHook,
  type BashToolDefinition,
  type BashToolInput,
  commandToolDefinition,
} from "./bash/command-tool.js";
import type { BashToolDetails } from "./bash/details.js";
import description from "./bash.md?raw";
import { wrapToolDefinition } from "./tool-definition-wrapper.js";
import { type ToolSchema, toolSchema } from "./tool-schema.js";

export type {
  BashSpawnContext,
  BashSpawnContext as PowerShellSpawnContext,
  BashSpawnHook,
  BashSpawnHook as PowerShellSpawnHook,
  BashToolDefinition,
  BashToolDetails,
  BashToolInput,
};

export interface BashToolOptions {
  operations?: BashOperations;
  /** Shell lines put before every command. */
  commandPrefix?: string;
  /** Path of the shell; default bash. */
  shellPath?: string;
  /** Whether commands get the `PI_*` variables of the session; default true. */
  exposeSessionEnvironment?: boolean;
  spawnHook?: BashSpawnHook;
}

const parameters = toolSchema<BashToolInput>({
  type: "object",
  properties: {
    command: { type: "string", description: "The bash command to run." },
    timeout: { type: "number", description: "Seconds after which the command is ended (default: never)." },
  },
  required: ["command"],
});

/** The `bash` tool. Source: agent-and-tools.md B2. */
export function createBashToolDefinition(cwd: string, options: BashToolOptions = {}): BashToolDefinition {
  const kind = {
    name: "bash",
    description: description.trim(),
    parameters,
    promptSnippet: "Run shell commands",
    operations: options.operations ?? createLocalBashOperations({ shellPath: options.shellPath }),
    tempFilePrefix: "pi-bash",
  };
  return commandToolDefinition(kind, cwd, options);
}

/** The `bash` tool as the agent loop runs it; it keeps the two prompt fields. */
export function createBashTool(
  cwd: string,
  options?: BashToolOptions,
): AgentTool<ToolSchema<BashToolInput>, BashToolDetails | undefined> &
  Pick<BashToolDefinition, "promptSnippet" | "promptGuidelines"> {
  const definition = createBashToolDefinition(cwd, options);
  const { promptSnippet, promptGuidelines } = definition;
  return { ...wrapToolDefinition(definition), promptSnippet, promptGuidelines };
}
