import type { AgentTool, AgentToolResult, AgentToolUpdateCallback } from "@earendil-works/pi-agent-core";
import type { Static, TSchema } from "typebox";
import type { ExtensionToolContext } from "../extensions/types/context.js";
import type { ToolDefinition } from "../extensions/types/tool.js";

/**
 * Reduces a tool definition to what the agent loop knows: no prompt texts, no rendering.
 *
 * @param createContext makes the context of one call; without it tools run with none
 */
export function wrapToolDefinition<P extends TSchema, D>(
  definition: ToolDefinition<P, D>,
  createContext?: (toolCallId: string, signal: AbortSignal | undefined) => ExtensionToolContext,
): AgentTool<P, D> {
  const { name, label, description, parameters, constrainedSampling, prepareArguments, outputSchema, executionMode } =
    definition;
  const tool = {
    name,
    label,
    description,
    parameters,
    ...(constrainedSampling !== undefined && { constrainedSampling }),
    ...(prepareArguments && { prepareArguments }),
    ...(outputSchema && { outputSchema }),
    ...(executionMode && { executionMode }),
    execute: (
      toolCallId: string,
      params: Static<P>,
      signal?: AbortSignal,
      onUpdate?: AgentToolUpdateCallback<D>,
    ): Promise<AgentToolResult<D>> =>
      definition.execute(
        toolCallId,
        params,
        signal,
        onUpdate,
        createContext?.(toolCallId, signal) as ExtensionToolContext,
      ),
  };
  // The two contracts write the parameter type of a generic schema differently; for every actual schema they agree.
  return tool as unknown as AgentTool<P, D>;
}
