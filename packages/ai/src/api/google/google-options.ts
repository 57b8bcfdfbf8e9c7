import type { StreamOptions, ThinkingBudgets, ThinkingLevel } from "../../types.js";

/** Thinking levels as Gemini names them. */
export type GoogleApiThinkingLevel = "THINKING_LEVEL_UNSPECIFIED" | "MINIMAL" | "LOW" | "MEDIUM" | "HIGH";
/** The levels that have a name of their own at Google. */
export type ResolvedGoogleThinkingLevel = Exclude<ThinkingLevel, "xhigh" | "max">;

/** Options of `google-generative-ai` beside the common ones. */
export interface GoogleOptions extends StreamOptions {
  toolChoice?: "auto" | "none" | "any" | undefined;
  /** Default: off. `level` is for models that take levels, `budgetTokens` (-1: as the model likes) for the others. */
  thinking?:
    | { enabled: boolean; budgetTokens?: number | undefined; level?: GoogleApiThinkingLevel | undefined }
    | undefined;
}

/** Options of `google-vertex` beside the common ones. */
export interface GoogleVertexOptions extends GoogleOptions {
  /** Default: `GOOGLE_CLOUD_PROJECT`, `GCLOUD_PROJECT`. */
  project?: string | undefined;
  /** Default: `GOOGLE_CLOUD_LOCATION`. */
  location?: string | undefined;
}

/** Budgets of the caller by level. */
export type GoogleBudgets = ThinkingBudgets | undefined;
