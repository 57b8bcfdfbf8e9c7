import { schemaIssues } from "./schema/check.js";
import { coerceToSchema } from "./schema/coerce.js";
import { prepareSchema } from "./schema/prepared-schema.js";
import type { Tool, ToolCall, ValidatedArguments } from "./types.js";

/** The part of a tool call that validation looks at. */
export type ToolCallToValidate = Pick<ToolCall, "name" | "arguments" | "argumentsError">;

/**
 * Finds the called tool and validates the arguments for it.
 * @throws Error `Tool "X" not found`, or what `validateToolArguments` throws
 */
export function validateToolCall(tools: readonly Tool[], call: ToolCallToValidate): ValidatedArguments {
  const tool = tools.find((candidate) => candidate.name === call.name);
  if (!tool) throw new Error(`Tool "${call.name}" not found`);
  return validateToolArguments(tool, call);
}

/**
 * The arguments of a call in the form the tool's schema asks for. Works on a copy: the call keeps what the model
 * wrote. Properties the schema does not know pass, unless it forbids them. Source: llm.md section 8.
 * @throws Error with a text for the model: what is wrong where, and what was received
 */
export function validateToolArguments(tool: Tool, call: ToolCallToValidate): ValidatedArguments {
  if (call.argumentsError !== undefined) {
    throw new Error(`Invalid arguments for tool "${tool.name}": ${call.argumentsError}`);
  }
  const prepared = prepareSchema(tool.parameters);
  const value = coerceToSchema(prepared, prepared.root, call.arguments);
  const issues = schemaIssues(prepared, prepared.root, value);
  if (issues.length === 0) return value;
  const list = issues.map(({ path, message }) => `  - ${path}: ${message}`).join("\n");
  throw new Error(
    `Validation failed for tool "${tool.name}":\n${list}\n\nReceived arguments:\n${JSON.stringify(call.arguments, null, 2)}`,
  );
}
