import type { StreamOptions, ThinkingLevel } from "../../types.js";

/** Options of `openai-responses` beside the common ones. */
export interface OpenAIResponsesOptions extends StreamOptions {
  /** Absent = thinking off. */
  reasoningEffort?: ThinkingLevel | undefined;
  /** Default: auto; null asks for none. */
  reasoningSummary?: "auto" | "detailed" | "concise" | null | undefined;
  serviceTier?: string | undefined;
  /** Sent as it is. */
  toolChoice?: unknown;
}
