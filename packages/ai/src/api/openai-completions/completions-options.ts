import type { StreamOptions, ThinkingBudgets, ThinkingLevel } from "../../types.js";

/** Options of `openai-completions` beside the common ones. */
export interface OpenAICompletionsOptions extends StreamOptions {
  /** Sent as it is: providers differ in what they accept. */
  toolChoice?: unknown;
  /** Absent = thinking off. */
  reasoningEffort?: ThinkingLevel | undefined;
  thinkingBudgets?: ThinkingBudgets | undefined;
}
