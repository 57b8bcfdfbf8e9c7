import { createAssistantMessageDiagnostic } from "../diagnostics.js";
import type { AssistantMessageEventStream } from "../event-stream.js";
import type { HttpStatusError } from "../http.js";
import { getIdentityHeaders, getOpenCodeSessionHeaders } from "../identity.js";
import { thinkingBudget } from "../models/thinking-levels.js";
import { getCurrentTools } from "../transcript/replay.js";
import type { Model, SimpleStreamOptions, TranscriptContext } from "../types.js";
import { anthropicCompat } from "./anthropic/anthropic-compat.js";
import { AnthropicDecoder } from "./anthropic/anthropic-decoder.js";
import type { AnthropicOptions } from "./anthropic/anthropic-options.js";
import { anthropicBetas, anthropicBody } from "./anthropic/anthropic-request.js";
import {
  isStrictToolsRefusal,
  rememberPlainTools,
  STRICT_TOOLS_FALLBACK,
  sendsPlainTools,
} from "./anthropic/strict-tools-fallback.js";
import { cacheRetention } from "./cache-retention.js";
import { budgetLimits, claudeEffort } from "./claude-thinking.js";
import { copilotHeaders } from "./copilot-headers.js";
import { boundedBody } from "./error-body.js";
import { mergeHeaders, requireApiKey } from "./headers.js";
import { requestUrl } from "./request-url.js";
import { type RequestedThinking, runRequest } from "./run-request.js";
import { sessionAffinityHeaders } from "./session-affinity.js";
import { simpleBase } from "./simple-options.js";

/** The Messages API of Anthropic and of servers that speak it. Wire format: llm-wire.md section 6. */

const OAUTH_TOKEN = "sk-ant-oat";
const AFFINITY_HEADERS = {
  openai: ["x-session-affinity"],
  "openai-nosession": ["x-session-affinity"],
  openrouter: ["x-session-id"],
} as const;

/**
 * Starts a request with the API's own options.
 * @throws Error `No API key for provider: ID`
 */
export function stream(
  model: Model,
  context: TranscriptContext,
  options?: AnthropicOptions,
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
  const own: AnthropicOptions = { ...base.options };
  if (options?.toolChoice !== undefined) own.toolChoice = options.toolChoice;
  const thinking: RequestedThinking = { thinkingLevel: model.reasoning ? base.asked : undefined };
  if (base.reasoning !== undefined) {
    own.thinkingEnabled = true;
    if (anthropicCompat(model).forceAdaptiveThinking) {
      own.effort = claudeEffort(model, base.reasoning);
      thinking.providerThinkingLevel = own.effort;
    } else {
      const limits = budgetLimits(
        model,
        base.options.maxTokens,
        thinkingBudget(base.reasoning, options?.thinkingBudgets),
      );
      own.maxTokens = limits.maxTokens;
      own.thinkingBudgetTokens = limits.budget;
    }
  }
  return start(model, context, own, thinking);
}

function start(
  model: Model,
  context: TranscriptContext,
  options: AnthropicOptions | undefined,
  thinking: RequestedThinking,
): AssistantMessageEventStream {
  const apiKey = requireApiKey(model, options);
  let plainTools = sendsPlainTools(options?.sessionId);
  return runRequest(model, options, thinking, {
    url: () => requestUrl(model, "/v1/messages?beta=true", options?.env),
    headers: (body) => requestHeaders(model, context, options, apiKey, body),
    body: () => anthropicBody(model, context, options, plainTools),
    decoder: (builder) => new AnthropicDecoder(builder),
    describeStatus: anthropicStatusText,
    recover: (error, payload) => {
      if (plainTools || !isStrictToolsRefusal(error, getCurrentTools(context.messages), payload["tools"]))
        return undefined;
      plainTools = true;
      rememberPlainTools(options?.sessionId);
      return createAssistantMessageDiagnostic(STRICT_TOOLS_FALLBACK, error);
    },
  });
}

function requestHeaders(
  model: Model,
  context: TranscriptContext,
  options: AnthropicOptions | undefined,
  apiKey: string,
  body: Record<string, unknown>,
): Record<string, string> {
  const compat = anthropicCompat(model);
  const betas = anthropicBetas(model, body, options);
  const sendAffinity = compat.sendSessionAffinityHeaders && cacheRetention(options) !== "none";
  return mergeHeaders(
    {
      accept: "application/json",
      "content-type": "application/json",
      "anthropic-version": "2023-06-01",
      "anthropic-dangerous-direct-browser-access": "true",
    },
    betas.length > 0 ? { "anthropic-beta": betas.join(",") } : {},
    authHeader(apiKey),
    getIdentityHeaders(model, options?.identity),
    sendAffinity ? sessionAffinityHeaders(AFFINITY_HEADERS, compat.sessionAffinityFormat, options?.sessionId) : {},
    copilotHeaders(model, context.messages),
    getOpenCodeSessionHeaders(model, options?.sessionId),
    model.headers,
    options?.headers,
  );
}

/** Keys and tokens go into different headers. */
function authHeader(apiKey: string): Record<string, string> {
  if (apiKey === "") return {};
  return apiKey.startsWith(OAUTH_TOKEN) ? { authorization: `Bearer ${apiKey}` } : { "x-api-key": apiKey };
}

function anthropicStatusText(error: HttpStatusError): string {
  return `${error.status} ${boundedBody(error.body) || "status code (no body)"}`;
}
