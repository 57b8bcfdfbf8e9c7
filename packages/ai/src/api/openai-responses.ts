import type { AssistantMessageEventStream } from "../event-stream.js";
import { getIdentityHeaders, getOpenCodeSessionHeaders } from "../identity.js";
import type { Model, SimpleStreamOptions, TranscriptContext } from "../types.js";
import { cacheRetention } from "./cache-retention.js";
import { copilotHeaders } from "./copilot-headers.js";
import { mergeHeaders, requireApiKey } from "./headers.js";
import { openAIErrorText } from "./openai-error-text.js";
import { responsesCompat } from "./openai-responses/responses-compat.js";
import { ResponsesDecoder } from "./openai-responses/responses-decoder.js";
import type { OpenAIResponsesOptions } from "./openai-responses/responses-options.js";
import { responsesBody, responsesEffort, responsesGrammars } from "./openai-responses/responses-request.js";
import { requestUrl } from "./request-url.js";
import { type RequestedThinking, runRequest } from "./run-request.js";
import { sessionAffinityHeaders } from "./session-affinity.js";
import { simpleBase } from "./simple-options.js";

/** OpenAI's Responses API and servers that speak it. Wire format: llm-wire.md section 3. */

const AFFINITY_HEADERS = {
  openai: ["session-id", "x-client-request-id"],
  "openai-nosession": ["x-client-request-id"],
  openrouter: ["x-session-id"],
} as const;

/**
 * Starts a request with the API's own options.
 * @throws Error `No API key for provider: ID`
 */
export function stream(
  model: Model,
  context: TranscriptContext,
  options?: OpenAIResponsesOptions,
): AssistantMessageEventStream {
  return start(model, context, options, { providerThinkingLevel: options && responsesEffort(model, options) });
}

/**
 * Starts a request with the common options.
 * @throws Error `No API key for provider: ID`
 */
export function streamSimple(
  model: Model,
  context: TranscriptContext,
  options?: SimpleStreamOptions,
): AssistantMessageEventStream {
  const base = simpleBase(model, context, options);
  const own: OpenAIResponsesOptions = {
    ...base.options,
    reasoningEffort: base.reasoning,
    toolChoice: options?.toolChoice,
  };
  return start(model, context, own, {
    thinkingLevel: model.reasoning ? base.asked : undefined,
    providerThinkingLevel: responsesEffort(model, own),
  });
}

function start(
  model: Model,
  context: TranscriptContext,
  options: OpenAIResponsesOptions | undefined,
  thinking: RequestedThinking,
): AssistantMessageEventStream {
  const apiKey = requireApiKey(model, options);
  const prefix = `${model.provider === "openai" ? "OpenAI" : model.provider} API error`;
  return runRequest(model, options, thinking, {
    url: () => requestUrl(model, "/responses", options?.env),
    headers: () => {
      const affinity = cacheRetention(options) === "none" ? undefined : options?.sessionId;
      return mergeHeaders(
        { accept: "application/json", "content-type": "application/json" },
        apiKey === "" ? {} : { authorization: `Bearer ${apiKey}` },
        getIdentityHeaders(model, options?.identity),
        sessionAffinityHeaders(AFFINITY_HEADERS, responsesCompat(model).sessionAffinityFormat, affinity),
        copilotHeaders(model, context.messages),
        getOpenCodeSessionHeaders(model, options?.sessionId),
        model.headers,
        options?.headers,
      );
    },
    body: () => responsesBody(model, context, options),
    decoder: (builder) =>
      new ResponsesDecoder(builder, model, {
        serviceTier: options?.serviceTier,
        grammars: responsesGrammars(context, responsesCompat(model)),
      }),
    describeStatus: (error) => openAIErrorText(error, prefix),
  });
}
