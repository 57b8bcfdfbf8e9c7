import { getCurrentTools, resolveTranscript } from "../../transcript/replay.js";
import type { Model, Tool, TranscriptContext } from "../../types.js";
import { cacheRetention } from "../cache-retention.js";
import { type GrammarTools, grammarTools } from "../grammar-tools.js";
import { cacheKey } from "../prompt-cache-key.js";
import { outputLimit } from "../simple-options.js";
import { sentParameters } from "../tool-parameters.js";
import { completionsCompat, type ResolvedCompletionsCompat } from "./completions-compat.js";
import { type WireMessage, wireMessages } from "./completions-messages.js";
import type { OpenAICompletionsOptions } from "./completions-options.js";
import { reasoningFields } from "./completions-reasoning.js";

type Wire = Record<string, unknown>;

/** The request body. Source: llm-wire.md section 2. */
export function completionsBody(
  model: Model,
  context: TranscriptContext,
  options: OpenAICompletionsOptions = {},
): Wire {
  const compat = completionsCompat(model);
  const transcript = resolveTranscript(context, compat.supportsMidConvoSystemMessages);
  const declared = getCurrentTools(transcript.messages);
  const grammars = grammarTools(declared, compat.supportsOpenAIGrammarTools);
  const messages = wireMessages(transcript.messages, model, compat, grammars);
  const tools = declared.map((tool) => wireTool(tool, compat, grammars));
  const maxTokens = outputLimit(model, context, options);
  const body: Wire = {
    model: model.id,
    messages,
    stream: true,
    ...cacheFields(model, compat, options),
    [compat.maxTokensField]: maxTokens,
  };
  if (compat.supportsUsageInStreaming) body["stream_options"] = { include_usage: true };
  if (compat.supportsStore) body["store"] = false;
  if (options.temperature !== undefined) body["temperature"] = options.temperature;
  if (tools.length > 0) {
    body["tools"] = tools;
    if (compat.zaiToolStream) body["tool_stream"] = true;
  } else if (compat.requiresToolsWithToolHistory && messages.some(isToolHistory)) {
    body["tools"] = [];
  }
  if (options.toolChoice !== undefined) body["tool_choice"] = options.toolChoice;
  if (compat.cacheControlFormat === "anthropic") addCacheMarkers(messages, tools, compat, options);
  Object.assign(body, reasoningFields(model, compat, options, maxTokens));
  if (compat.openRouterRouting) body["provider"] = compat.openRouterRouting;
  if (compat.vercelGatewayRouting) body["providerOptions"] = { gateway: compat.vercelGatewayRouting };
  if (compat.vllmPriority !== undefined) body["priority"] = compat.vllmPriority;
  return Object.assign(body, options.samplingParams);
}

function cacheFields(model: Model, compat: ResolvedCompletionsCompat, options: OpenAICompletionsOptions): Wire {
  const retention = cacheRetention(options);
  const long = retention === "long" && compat.supportsLongCacheRetention;
  const fields: Wire = {};
  const { promptCacheKeyMode: mode } = compat;
  const wantsKey = mode === "enabled" || (mode === "auto" && (model.baseUrl.includes("api.openai.com") || long));
  const key = retention !== "none" && wantsKey ? cacheKey(options.sessionId) : undefined;
  if (key !== undefined) fields["prompt_cache_key"] = key;
  if (long) fields["prompt_cache_retention"] = "24h";
  return fields;
}

function wireTool(tool: Tool, compat: ResolvedCompletionsCompat, grammars: GrammarTools): Wire {
  const grammar = grammars.get(tool.name);
  if (grammar) {
    const format = { type: "grammar", grammar: grammar.format };
    return { type: "custom", custom: { name: tool.name, description: tool.description, format } };
  }
  const { parameters, strict } = sentParameters(tool, compat.supportsStrictMode);
  const definition: Wire = { name: tool.name, description: tool.description, parameters };
  if (compat.supportsStrictMode) definition["strict"] = strict;
  return { type: "function", function: definition };
}

function isToolHistory(message: WireMessage): boolean {
  return message.role === "tool" || message["tool_calls"] !== undefined;
}

/** Marks what may be cached the way Anthropic's models want it: prompt, tools, and the end of the conversation. */
function addCacheMarkers(
  messages: WireMessage[],
  tools: Wire[],
  compat: ResolvedCompletionsCompat,
  options: OpenAICompletionsOptions,
): void {
  const retention = cacheRetention(options);
  if (retention === "none") return;
  const long = retention === "long" && compat.supportsLongCacheRetention;
  const marker = long ? { type: "ephemeral", ttl: "1h" } : { type: "ephemeral" };
  const system = messages.find(({ role }) => role === "system" || role === "developer");
  if (system) markText(system, marker);
  const lastTool = tools.at(-1);
  if (lastTool) lastTool["cache_control"] = marker;
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index];
    if (message && message !== system && markText(message, marker)) return;
  }
}

/** Puts the marker on the last text of a message; false when it has none. */
function markText(message: WireMessage, marker: Wire): boolean {
  const { content } = message;
  if (typeof content === "string" && content !== "") {
    message.content = [{ type: "text", text: content, cache_control: marker }];
    return true;
  }
  if (!Array.isArray(content)) return false;
  const last = content.findLastIndex((part: Wire) => part["type"] === "text");
  if (last < 0) return false;
  message.content = content.map((part: Wire, index) => (index === last ? { ...part, cache_control: marker } : part));
  return true;
}
