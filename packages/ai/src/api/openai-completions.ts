import type { AssistantMessageEventStream } from "../event-stream.js";
import { getIdentityHeaders, getOpenCodeSessionHeaders } from "../identity.js";
import { getCurrentTools } from "../transcript/replay.js";
import type { Model, TranscriptContext } from "../types.js";
import { cacheRetention } from "./cache-retention.js";
import { copilotHeaders } from "./copilot-headers.js";
import { entryPoints } from "./entry-points.js";
import { grammarTools } from "./grammar-tools.js";
import { mergeHeaders, requireApiKey } from "./headers.js";
import { completionsCompat } from "./openai-completions/completions-compat.js";
import { CompletionsDecoder } from "./openai-completions/completions-decoder.js";
import type { OpenAICompletionsOptions } from "./openai-completions/completions-options.js";
import { providerEffort } from "./openai-completions/completions-reasoning.js";
import { completionsBody } from "./openai-completions/completions-request.js";
import { openAIErrorText } from "./openai-error-text.js";
import { requestUrl } from "./request-url.js";
import { type RequestedThinking, runRequest } from "./run-request.js";
import { sessionAffinityHeaders } from "./session-affinity.js";

/** OpenAI's Chat Completions API and the many servers that speak it. Wire format: llm-wire.md section 2. */

const AFFINITY_HEADERS = {
  openai: ["session_id", "x-client-request-id", "x-session-affinity"],
  "openai-nosession": ["x-client-request-id", "x-session-affinity"],
  openrouter: ["x-session-id"],
} as const;

export const { stream, streamSimple } = entryPoints<OpenAICompletionsOptions>({
  own: (base, options) => ({
    ...base.options,
    reasoningEffort: base.reasoning,
    toolChoice: options?.toolChoice,
    thinkingBudgets: options?.thinkingBudgets,
  }),
  providerLevel: (model, options) => options.reasoningEffort && providerEffort(model, options.reasoningEffort),
  start,
});

function start(
  model: Model,
  context: TranscriptContext,
  options: OpenAICompletionsOptions | undefined,
  thinking: RequestedThinking,
): AssistantMessageEventStream {
  const apiKey = requireApiKey(model, options);
  const compat = completionsCompat(model);
  return runRequest(model, options, thinking, {
    url: () => requestUrl(model, "/chat/completions", options?.env),
    headers: () => {
      const sendAffinity = compat.sendSessionAffinityHeaders && cacheRetention(options) !== "none";
      return mergeHeaders(
        { accept: "application/json", "content-type": "application/json" },
        apiKey === "" ? {} : { authorization: `Bearer ${apiKey}` },
        getIdentityHeaders(model, options?.identity),
        sendAffinity ? sessionAffinityHeaders(AFFINITY_HEADERS, compat.sessionAffinityFormat, options?.sessionId) : {},
        copilotHeaders(model, context.messages),
        getOpenCodeSessionHeaders(model, options?.sessionId),
        model.headers,
        options?.headers,
      );
    },
    body: () => completionsBody(model, context, options),
    decoder: (builder) => {
      const grammars = grammarTools(getCurrentTools(context.messages), compat.supportsOpenAIGrammarTools);
      return new CompletionsDecoder(builder, model, compat.supportsFinishReason, grammars);
    },
    describeStatus: (error) => openAIErrorText(error),
  });
}
