import type { StreamOptions } from "../../types.js";

export type AnthropicEffort = "low" | "medium" | "high" | "xhigh" | "max";
export type AnthropicThinkingDisplay = "summarized" | "omitted";

/** Options of `anthropic-messages` beside the common ones. */
export interface AnthropicOptions extends StreamOptions {
  /** Default: off. */
  thinkingEnabled?: boolean | undefined;
  /** For models with a thinking budget, in tokens. Default 1024. */
  thinkingBudgetTokens?: number | undefined;
  /** For models with adaptive thinking; other words of the model's level map pass too. */
  effort?: AnthropicEffort | (string & {}) | undefined;
  /** Default: summarized. */
  thinkingDisplay?: AnthropicThinkingDisplay | undefined;
  /** Thinking between tool calls of models with a budget. Default: true. */
  interleavedThinking?: boolean | undefined;
  toolChoice?: "auto" | "any" | "none" | { type: "tool"; name: string } | undefined;
}
