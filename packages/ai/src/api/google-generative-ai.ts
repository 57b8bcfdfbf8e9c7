import type { AssistantMessageEventStream } from "../event-stream.js";
import { getIdentityHeaders, getOpenCodeSessionHeaders } from "../identity.js";
import type { Model, TranscriptContext } from "../types.js";
import { entryPoints } from "./entry-points.js";
import { GoogleDecoder } from "./google/google-decoder.js";
import { googleErrorText } from "./google/google-error-text.js";
import type { GoogleOptions } from "./google/google-options.js";
import { googleBody } from "./google/google-request.js";
import { googleOwnOptions, googleThinkingLevel } from "./google/google-thinking.js";
import { mergeHeaders, requireApiKey } from "./headers.js";
import { requestUrl } from "./request-url.js";
import { type RequestedThinking, runRequest } from "./run-request.js";

/** Google's Generative Language API. Wire format: llm-wire.md section 7. */

export const { stream, streamSimple } = entryPoints<GoogleOptions>({
  own: googleOwnOptions,
  providerLevel: (_model, options) => googleThinkingLevel(options.thinking),
  start,
});

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
