import type { AssistantMessageEventStream } from "../event-stream.js";
import { getIdentityHeaders, getOpenCodeSessionHeaders } from "../identity.js";
import { getCurrentTools } from "../transcript/replay.js";
import type { Model, SimpleStreamOptions, TranscriptContext } from "../types.js";
import { cacheRetention } from "./cache-retention.js";
import { copilotHeaders } from "./copilot-headers.js";
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
import { simpleBase } from "./simple-options.js";

/** OpenAI's Chat Completions API and the many servers that speak it. Wire format: llm-wire.md section 2. */

const AFFINITY_HEADERS = {
  openai: ["session_id", "x-client-request-id", "x-session-affinity"],
  "openai-nosession": ["x-client-request-id", "x-session-affinity"],
  openrouter: ["x-session-id"],
} as const;

/**
 * Starts a request with the API's own options.
 * @throws Error `No API key for provider: ID`
 */
export function stream(
  model: Model,
  context: TranscriptContext,
  options?: OpenAICompletionsOptions,
): AssistantMessageEventStream {
  return start(model, context, options, {});
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
  const own: OpenAICompletionsOptions = {
    ...base.options,
    reasoningEffort: base.reasoning,
    toolChoice: options?.toolChoice,
    thinkingBudgets: options?.thinkingBudgets,
  };
  return start(model, context, own, {
    thinkingLevel: model.reasoning ? base.asked : undefined,
    providerThinkingLevel: base.reasoning && providerEffort(model, base.reasoning),
  });
}

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
