import type { JsonValue } from "../../types.js";
import type { OpenAIResponsesOptions } from "../openai-responses/responses-options.js";

/** Options of `openai-codex-responses` beside the common ones. */
export interface OpenAICodexResponsesOptions extends Omit<OpenAIResponsesOptions, "serviceTier"> {
  /** Default: low. */
  textVerbosity?: "low" | "medium" | "high" | undefined;
}

/** What is known of the connections to the backend. Nothing is gathered in this release. */
export interface OpenAICodexWebSocketDebugStats {
  [key: string]: JsonValue;
}
