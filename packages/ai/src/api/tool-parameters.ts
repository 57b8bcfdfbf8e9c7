import { strictSchema } from "../schema/strict-schema.js";
import type { Tool } from "../types.js";

/** The schema of a tool as it is sent. */
export interface SentParameters {
  parameters: object;
  /** True when the provider is to hold the model to the schema. */
  strict: boolean;
}

/**
 * Applies a tool's wish for constrained sampling: its strict form where the provider has strict mode and the schema
 * has such a form, else the schema unchanged. Source: llm.md section 8.
 * @throws Error when the tool requires what cannot be had
 */
export function sentParameters(tool: Tool, supportsStrict: boolean): SentParameters {
  const wish = tool.constrainedSampling;
  const plain: SentParameters = { parameters: tool.parameters, strict: false };
  if (wish === false || wish?.type !== "json_schema") return plain;
  const form = supportsStrict ? strictSchema(tool.parameters) : { reason: "the model does not support it" };
  if ("schema" in form) return { parameters: form.schema, strict: true };
  if (wish.strict === "prefer") return plain;
  throw new Error(`Tool "${tool.name}" requires JSON-schema constrained sampling, but ${form.reason}`);
}
