import type { Model, TranscriptContext } from "../../types.js";
import { responsesCompat } from "../openai-responses/responses-compat.js";
import { baseBody, reasoningFields } from "../openai-responses/responses-request.js";
import { cacheKey } from "../prompt-cache-key.js";
import { azureDeployment } from "./azure-address.js";
import type { AzureOpenAIResponsesOptions } from "./azure-options.js";

/** The request body: that of the Responses API, with strict tools and without a lifetime for the cache. */
export function azureBody(
  model: Model,
  context: TranscriptContext,
  options: AzureOpenAIResponsesOptions = {},
): Record<string, unknown> {
  const compat = responsesCompat(model, { supportsStrictMode: true });
  const key = compat.promptCacheKeyMode === "disabled" ? undefined : cacheKey(options.sessionId);
  const body = baseBody(model, context, options, {
    compat,
    modelName: azureDeployment(model, options),
    cacheFields: key === undefined ? {} : { prompt_cache_key: key },
  });
  return Object.assign(body, reasoningFields(model, options), options.samplingParams);
}
