import { MIN_ANSWER_TOKENS } from "../models/thinking-levels.js";
import type { Model, ThinkingLevel } from "../types.js";

/** How Claude is told to think, wherever it is served. Source: llm.md section 9, llm-wire.md section 6. */

/** The effort word of a level: the model's own, else the nearest one every model with adaptive thinking has. */
export function claudeEffort(model: Model, level: ThinkingLevel): string {
  const mapped = model.thinkingLevelMap?.[level];
  if (mapped) return mapped;
  if (level === "minimal" || level === "low") return "low";
  return level === "medium" ? "medium" : "high";
}

/** The budget comes on top of the answer as far as the model allows, and always leaves room for one. In tokens. */
export function budgetLimits(model: Model, wanted: number, budget: number): { maxTokens: number; budget: number } {
  const maxTokens = Math.min(wanted + budget, model.maxTokens);
  return { maxTokens, budget: maxTokens <= budget ? maxTokens - MIN_ANSWER_TOKENS : budget };
}
