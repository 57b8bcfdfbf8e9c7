import type { AssistantMessageEventStream } from "../event-stream.js";
import type { HttpStatusError } from "../http.js";
import { getIdentityHeaders } from "../identity.js";
import type { Model, TranscriptContext } from "../types.js";
import { cacheRetention } from "./cache-retention.js";
import { entryPoints } from "./entry-points.js";
import { boundedBody } from "./error-body.js";
import { mergeHeaders, requireApiKey } from "./headers.js";
import { MistralDecoder } from "./mistral/mistral-decoder.js";
import type { MistralOptions } from "./mistral/mistral-options.js";
import { mistralBody, mistralThinking, mistralWire } from "./mistral/mistral-request.js";
import { requestUrl } from "./request-url.js";
import { type RequestedThinking, runRequest } from "./run-request.js";

/** Mistral's chat API. Wire format: llm-wire.md section 8. */

/** Limit for the response headers unless the caller sets one, in ms. */
const HEADERS_TIMEOUT_MS = 60_000;

export const { stream, streamSimple } = entryPoints<MistralOptions>({
  own: (base, options, model) => ({
    ...base.options,
    ...mistralThinking(model, base.reasoning),
    toolChoice: options?.toolChoice,
  }),
  providerLevel: (_model, options) => options.reasoningEffort,
  start,
});

function start(
  model: Model,
  context: TranscriptContext,
  options: MistralOptions | undefined,
  thinking: RequestedThinking,
): AssistantMessageEventStream {
  const apiKey = requireApiKey(model, options);
  return runRequest(model, options, thinking, {
    url: () => requestUrl(model, "/v1/chat/completions", options?.env),
    headers: () => {
      const affinity = cacheRetention(options) === "none" ? undefined : options?.sessionId;
      return mergeHeaders(
        { accept: "text/event-stream", "content-type": "application/json" },
        apiKey === "" ? {} : { authorization: `Bearer ${apiKey}` },
        affinity === undefined ? {} : { "x-affinity": affinity },
        getIdentityHeaders(model, options?.identity),
        model.headers,
        options?.headers,
      );
    },
    body: () => mistralBody(model, context, options),
    encode: (payload) => JSON.stringify(mistralWire(payload)),
    decoder: (builder) => new MistralDecoder(builder),
    describeStatus: mistralStatusText,
    http: {
      connectionText: "fetch failed",
      timeoutMs: options?.timeoutMs ?? HEADERS_TIMEOUT_MS,
      timeoutText: (ms) => `Mistral response headers timed out after ${ms}ms`,
      // The API has no retries of its own: those of the session are enough. Source: llm.md section 10.
      maxRetries: 0,
    },
  });
}

function mistralStatusText(error: HttpStatusError): string {
  return `Mistral API error (${error.status}): ${boundedBody(error.body) || "status code (no body)"}`;
}
