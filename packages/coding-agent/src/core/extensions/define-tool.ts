import type { TSchema } from "typebox";
import type { ToolDefinition } from "./types/tool.js";

/** Returns its argument; infers the parameter type of a tool from its schema. */
// biome-ignore lint/suspicious/noExplicitAny: as in the contract of tools, whose renderers may keep any state
export function defineTool<P extends TSchema, D = unknown, S = any>(
  definition: ToolDefinition<P, D, S>,
): ToolDefinition<P, D, S> {
  return definition;
}
