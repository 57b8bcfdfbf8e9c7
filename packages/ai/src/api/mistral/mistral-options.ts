import type { StreamOptions } from "../../types.js";

/** Options of `mistral-conversations` beside the common ones. */
export interface MistralOptions extends StreamOptions {
  /** Sent as it is. */
  toolChoice?: unknown;
  /** For models without levels: absent = thinking off. */
  promptMode?: "reasoning" | undefined;
  /** For models with levels, in the model's own words. */
  reasoningEffort?: string | undefined;
}
