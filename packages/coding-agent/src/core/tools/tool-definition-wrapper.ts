import type { AgentTool } from "@earendil-works/pi-agent-core";
import type { TSchema } from "typebox";
import type { ExtensionToolContext, ToolDefinition } from "../extensions/types.js";

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
  return {
    name,
    label,
    description,
    parameters,
    ...(constrainedSampling !== undefined && { constrainedSampling }),
    ...(prepareArguments && { prepareArguments }),
    ...(outputSchema && { outputSchema }),
    ...(executionMode && { executionMode }),
    execute: (toolCallId, params, signal, onUpdate) =>
      definition.execute(toolCallId, params, signal, onUpdate, createContext?.(toolCallId, signal)),
  };
}
