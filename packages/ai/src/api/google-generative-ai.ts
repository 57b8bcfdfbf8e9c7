import type { AssistantMessageEventStream } from "../event-stream.js";
import { getIdentityHeaders, getOpenCodeSessionHeaders } from "../identity.js";
import type { Model, SimpleStreamOptions, TranscriptContext } from "../types.js";
import { GoogleDecoder } from "./google/google-decoder.js";
import { googleErrorText } from "./google/google-error-text.js";
import type { GoogleOptions } from "./google/google-options.js";
import { googleBody } from "./google/google-request.js";
import { googleThinkingLevel, thinkingOption } from "./google/google-thinking.js";
import { mergeHeaders, requireApiKey } from "./headers.js";
import { requestUrl } from "./request-url.js";
import { type RequestedThinking, runRequest } from "./run-request.js";
import { simpleBase } from "./simple-options.js";

/** Google's Generative Language API. Wire format: llm-wire.md section 7. */

/**
 * Starts a request with the API's own options.
 * @throws Error `No API key for provider: ID`
 */
export function stream(model: Model, context: TranscriptContext, options?: GoogleOptions): AssistantMessageEventStream {
  return start(model, context, options, { providerThinkingLevel: googleThinkingLevel(options?.thinking) });
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
  const thinking = thinkingOption(model, base.reasoning, options?.thinkingBudgets);
  const own: GoogleOptions = { ...base.options, thinking, toolChoice: options?.toolChoice };
  return start(model, context, own, {
    thinkingLevel: model.reasoning ? base.asked : undefined,
    providerThinkingLevel: googleThinkingLevel(thinking),
  });
}

function start(
  model: Model,
  context: TranscriptContext,
  options: GoogleOptions | undefined,
  thinking: RequestedThinking,
): AssistantMessageEventStream {
  const apiKey = requireApiKey(model, options);
  return runRequest(model, options, thinking, {
    url: () => requestUrl(model, `/models/${encodeURIComponent(model.id)}:streamGenerateContent?alt=sse`, options?.env),
    headers: () =>
      mergeHeaders(
        { accept: "*/*", "content-type": "application/json" },
        apiKey === "" ? {} : { "x-goog-api-key": apiKey },
        getIdentityHeaders(model, options?.identity),
        getOpenCodeSessionHeaders(model, options?.sessionId),
        model.headers,
        options?.headers,
      ),
    body: () => googleBody(model, context, options),
    decoder: (builder) => new GoogleDecoder(builder),
    describeStatus: googleErrorText,
    http: { connectionText: "fetch failed" },
  });
}
