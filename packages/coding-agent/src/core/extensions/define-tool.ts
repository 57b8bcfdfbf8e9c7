import type { TSchema } from "typebox";
import type { ToolDefinition } from "./types/tool.js";

/** Returns its argument; infers the parameter type of a tool from its schema. */
export function defineTool<P extends TSchema, D = unknown, S = unknown>(
  definition: ToolDefinition<P, D, S>,
): ToolDefinition<P, D, S> {
  return definition;
}
