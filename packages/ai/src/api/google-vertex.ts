import type { AssistantMessageEventStream } from "../event-stream.js";
import { getIdentityHeaders } from "../identity.js";
import { AMBIENT_CREDENTIALS } from "../providers/env-keys.js";
import type { Model, TranscriptContext } from "../types.js";
import { entryPoints } from "./entry-points.js";
import { GoogleDecoder } from "./google/google-decoder.js";
import { googleErrorText } from "./google/google-error-text.js";
import type { GoogleVertexOptions } from "./google/google-options.js";
import { googleBody } from "./google/google-request.js";
import { googleOwnOptions, googleThinkingLevel } from "./google/google-thinking.js";
import { vertexUrl } from "./google/vertex-address.js";
import { vertexToken } from "./google/vertex-sign-in.js";
import { hasHeader, mergeHeaders } from "./headers.js";
import { type RequestedThinking, runRequest } from "./run-request.js";

/** Gemini on Vertex AI, with an API key or the application default credentials. Wire format: llm-wire.md section 7. */

export const { stream, streamSimple } = entryPoints<GoogleVertexOptions>({
  own: googleOwnOptions,
  providerLevel: (_model, options) => googleThinkingLevel(options.thinking),
  start,
});

function start(
  model: Model,
  context: TranscriptContext,
  options: GoogleVertexOptions | undefined,
  thinking: RequestedThinking,
): AssistantMessageEventStream {
  const key = options?.apiKey?.trim();
  const apiKey = key === AMBIENT_CREDENTIALS ? undefined : key;
  return runRequest(model, options, thinking, {
    url: () => vertexUrl(model, options, Boolean(apiKey)),
    headers: async () =>
      mergeHeaders(
        { accept: "*/*", "content-type": "application/json" },
        await authHeaders(model, options, apiKey),
        getIdentityHeaders(model, options?.identity),
        model.headers,
        options?.headers,
      ),
    body: () => googleBody(model, context, options),
    decoder: (builder) => new GoogleDecoder(builder),
    describeStatus: googleErrorText,
    http: { connectionText: "fetch failed" },
  });
}

async function authHeaders(
  model: Model,
  options: GoogleVertexOptions | undefined,
  apiKey: string | undefined,
): Promise<Record<string, string>> {
  if (apiKey) return { "x-goog-api-key": apiKey };
  if (hasHeader(options?.headers, "authorization") || hasHeader(model.headers, "authorization")) return {};
  return { authorization: `Bearer ${await vertexToken(options)}` };
}
