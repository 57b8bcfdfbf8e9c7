import type { AssistantMessageEventStream } from "../event-stream.js";
import { getIdentityHeaders, getOpenCodeSessionHeaders } from "../identity.js";
import type { Model, TranscriptContext } from "../types.js";
import { cacheRetention } from "./cache-retention.js";
import { copilotHeaders } from "./copilot-headers.js";
import { mergeHeaders, requireApiKey } from "./headers.js";
import { openAIErrorText } from "./openai-error-text.js";
import { responsesCompat } from "./openai-responses/responses-compat.js";
import { ResponsesDecoder } from "./openai-responses/responses-decoder.js";
import { responsesEntryPoints } from "./openai-responses/responses-entry.js";
import type { OpenAIResponsesOptions } from "./openai-responses/responses-options.js";
import { responsesBody, responsesGrammars } from "./openai-responses/responses-request.js";
import { requestUrl } from "./request-url.js";
import { type RequestedThinking, runRequest } from "./run-request.js";
import { sessionAffinityHeaders } from "./session-affinity.js";

/** OpenAI's Responses API and servers that speak it. Wire format: llm-wire.md section 3. */

const AFFINITY_HEADERS = {
  openai: ["session-id", "x-client-request-id"],
  "openai-nosession": ["x-client-request-id"],
  openrouter: ["x-session-id"],
} as const;

export const { stream, streamSimple } = responsesEntryPoints<OpenAIResponsesOptions>(start);

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
