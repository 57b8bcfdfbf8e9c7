import type { AnthropicOptions } from "./api/anthropic/anthropic-options.js";
import type { OpenAICompletionsOptions } from "./api/openai-completions/completions-options.js";
import type { OpenAIResponsesOptions } from "./api/openai-responses/responses-options.js";
import type { Api, ProviderStreamOptions } from "./types.js";

/** The options type of each implemented API. */
export interface ApiOptionsMap {
  "anthropic-messages": AnthropicOptions;
  "openai-completions": OpenAICompletionsOptions;
  "openai-responses": OpenAIResponsesOptions;
}

/** The options of an API; for other ids, whatever its implementation takes. */
export type ApiStreamOptions<A extends Api> = A extends keyof ApiOptionsMap ? ApiOptionsMap[A] : ProviderStreamOptions;
