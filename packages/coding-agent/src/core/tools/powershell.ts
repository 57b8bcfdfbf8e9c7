import type { AgentTool } from "@earendil-works/pi-agent-core";
import { createLocalPowerShellOperations } from "../process/local-bash-operations.js";
import { type BashToolDefinition, type BashToolInput, commandToolDefinition } from "./bash/command-tool.js";
import type { BashToolDetails } from "./bash/details.js";
import type { BashToolOptions } from "./bash.js";
import description from "./powershell.md?raw";
import { wrapToolDefinition } from "./tool-definition-wrapper.js";
import { type ToolSchema, toolSchema } from "./tool-schema.js";

export type PowerShellToolOptions = Omit<BashToolOptions, "commandPrefix" | "shellPath">;

const parameters = toolSchema<BashToolInput>({
  type: "object",
  properties: {
    command: { type: "string", description: "The PowerShell command to run." },
    timeout: { type: "number", description: "Seconds after which the command is ended (default: never)." },
  },
  required: ["command"],
});

/**
 * A tool that runs commands in PowerShell, for hosts and extensions that want it: none of the built-in ones. Away from
 * Windows its calls fail unless it has operations of its own. Source: agent-and-tools.md B8.
 */
export function createPowerShellToolDefinition(cwd: string, options: PowerShellToolOptions = {}): BashToolDefinition {
  const kind = {
    name: "powershell",
    description: description.trim(),
    parameters,
    promptSnippet: "Run PowerShell commands",
    operations: options.operations ?? createLocalPowerShellOperations(),
    tempFilePrefix: "pi-powershell",
  };
  return commandToolDefinition(kind, cwd, options);
}

/** As the agent loop runs it. */
export function createPowerShellTool(
  cwd: string,
  options?: PowerShellToolOptions,
): AgentTool<ToolSchema<BashToolInput>, BashToolDetails | undefined> {
  return wrapToolDefinition(createPowerShellToolDefinition(cwd, options));
}
