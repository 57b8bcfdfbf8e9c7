import type { AnthropicOptions } from "./api/anthropic/anthropic-options.js";
import type { AzureOpenAIResponsesOptions } from "./api/azure-openai-responses/azure-options.js";
import type { BedrockOptions } from "./api/bedrock/bedrock-options.js";
import type { GoogleOptions, GoogleVertexOptions } from "./api/google/google-options.js";
import type { MistralOptions } from "./api/mistral/mistral-options.js";
import type { OpenAICodexResponsesOptions } from "./api/openai-codex-responses/codex-options.js";
import type { OpenAICompletionsOptions } from "./api/openai-completions/completions-options.js";
import type { OpenAIResponsesOptions } from "./api/openai-responses/responses-options.js";
import type { Api, ProviderStreamOptions } from "./types.js";

/** The options type of each implemented API. */
export interface ApiOptionsMap {
  "anthropic-messages": AnthropicOptions;
  "azure-openai-responses": AzureOpenAIResponsesOptions;
  "bedrock-converse-stream": BedrockOptions;
  "google-generative-ai": GoogleOptions;
  "google-vertex": GoogleVertexOptions;
  "mistral-conversations": MistralOptions;
  "openai-codex-responses": OpenAICodexResponsesOptions;
  "openai-completions": OpenAICompletionsOptions;
  "openai-responses": OpenAIResponsesOptions;
}

/** The options of an API; for other ids, whatever its implementation takes. */
export type ApiStreamOptions<A extends Api> = A extends keyof ApiOptionsMap ? ApiOptionsMap[A] : ProviderStreamOptions;
