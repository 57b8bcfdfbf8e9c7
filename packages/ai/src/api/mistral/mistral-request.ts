import { isObject } from "../../json/objects.js";
import { getCurrentTools, resolveTranscript } from "../../transcript/replay.js";
import type { MistralConversationsCompat, Model, ThinkingLevel, TranscriptContext } from "../../types.js";
import { cacheRetention } from "../cache-retention.js";
import { cacheKey } from "../prompt-cache-key.js";
import { outputLimit } from "../simple-options.js";
import { sentParameters } from "../tool-parameters.js";
import { mistralMessages } from "./mistral-messages.js";
import type { MistralOptions } from "./mistral-options.js";

type Wire = Record<string, unknown>;

/** The request as hooks see it: with members in camel case. Source: llm-wire.md section 8. */
export function mistralBody(model: Model, context: TranscriptContext, options: MistralOptions = {}): Wire {
  const compat = (model.compat ?? {}) as MistralConversationsCompat;
  const transcript = resolveTranscript(context, compat.supportsMidConvoSystemMessages);
  const tools = getCurrentTools(transcript.messages);
  const body: Wire = {
    model: model.id,
    stream: true,
    messages: mistralMessages(transcript.messages, model),
    maxTokens: outputLimit(model, context, options),
  };
  if (tools.length > 0) {
    body["tools"] = tools.map((tool) => {
      const { parameters, strict } = sentParameters(tool, compat.supportsStrictMode ?? false);
      return { type: "function", function: { name: tool.name, description: tool.description, parameters, strict } };
    });
  }
  if (options.temperature !== undefined) body["temperature"] = options.temperature;
  if (options.toolChoice !== undefined) body["toolChoice"] = options.toolChoice;
  if (options.promptMode !== undefined) body["promptMode"] = options.promptMode;
  if (options.reasoningEffort !== undefined) body["reasoningEffort"] = options.reasoningEffort;
  const key = cacheRetention(options) === "none" ? undefined : cacheKey(options.sessionId);
  if (key !== undefined) body["promptCacheKey"] = key;
  return body;
}

/** The thinking options for a level of the common options: an effort where the model has levels, else a mode. */
export function mistralThinking(
  model: Model,
  level: ThinkingLevel | undefined,
): Pick<MistralOptions, "promptMode" | "reasoningEffort"> {
  if (!model.reasoning) return {};
  const map = model.thinkingLevelMap;
  if (!map) return level === undefined ? {} : { promptMode: "reasoning" };
  const effort = level === undefined ? map.off : (map[level] ?? "high");
  return effort ? { reasoningEffort: effort } : {};
}

const REQUEST_MEMBERS: Readonly<Record<string, string>> = {
  maxTokens: "max_tokens",
  toolChoice: "tool_choice",
  promptMode: "prompt_mode",
  reasoningEffort: "reasoning_effort",
  promptCacheKey: "prompt_cache_key",
  topP: "top_p",
  randomSeed: "random_seed",
  responseFormat: "response_format",
  presencePenalty: "presence_penalty",
  frequencyPenalty: "frequency_penalty",
  parallelToolCalls: "parallel_tool_calls",
  safePrompt: "safe_prompt",
};
const MESSAGE_MEMBERS: Readonly<Record<string, string>> = { toolCalls: "tool_calls", toolCallId: "tool_call_id" };
const PART_MEMBERS: Readonly<Record<string, string>> = { imageUrl: "image_url" };

/** The request as it goes over the wire. Tools and arguments are data and stay as they are. */
export function mistralWire(payload: unknown): unknown {
  if (!isObject(payload)) return payload;
  const wire = renamed(payload, REQUEST_MEMBERS);
  if (Array.isArray(wire["messages"])) wire["messages"] = wire["messages"].map(wireMessage);
  return wire;
}

function wireMessage(message: unknown): unknown {
  if (!isObject(message)) return message;
  const wire = renamed(message, MESSAGE_MEMBERS);
  const { content } = wire;
  if (Array.isArray(content)) {
    wire["content"] = content.map((part) => (isObject(part) ? renamed(part, PART_MEMBERS) : part));
  }
  return wire;
}

function renamed(value: Wire, names: Readonly<Record<string, string>>): Wire {
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [names[key] ?? key, member]));
}
