/** Tools of extensions as the agent loop runs them. Source: exports.md section 4.5. */
import type { AgentTool } from "@earendil-works/pi-agent-core";
import { wrapToolDefinition } from "../tools/tool-definition-wrapper.js";
import type { ExtensionRunner } from "./runner.js";
import type { RegisteredTool } from "./types/tool.js";

/** Its calls get contexts of the runner's session. */
export function wrapRegisteredTool({ definition }: RegisteredTool, runner: ExtensionRunner): AgentTool {
  return wrapToolDefinition(definition, (toolCallId, signal) =>
    runner.createToolContext(toolCallId, signal),
  ) as AgentTool;
}

export function wrapRegisteredTools(tools: readonly RegisteredTool[], runner: ExtensionRunner): AgentTool[] {
  return tools.map((tool) => wrapRegisteredTool(tool, runner));
}
