import { isObject } from "../../json/objects.js";
import { stripUnpairedSurrogates } from "../../text/surrogates.js";
import { getSystemMessageText, renderSystemMessageUpdate } from "../../text/system-message-text.js";
import { getInitialSystemMessage, withoutInitialSystemMessage } from "../../transcript/context.js";
import { beginningWithUser, EARLIER_TEXT, endingWithoutThinking } from "../../transcript/openings-and-endings.js";
import { getCurrentTools, resolveTranscript } from "../../transcript/replay.js";
import { transformMessages } from "../../transcript/transform-messages.js";
import type {
  AssistantMessage,
  ImageContent,
  Message,
  Model,
  TextContent,
  Tool,
  ToolResultMessage,
  TranscriptContext,
} from "../../types.js";
import { cacheRetention } from "../cache-retention.js";
import { outputLimit } from "../simple-options.js";
import { anthropicOwnToolCallId, identifierToolCallId } from "../tool-call-ids.js";
import { sentParameters } from "../tool-parameters.js";
import { anthropicCompat, type ResolvedAnthropicCompat } from "./anthropic-compat.js";
import type { AnthropicOptions } from "./anthropic-options.js";
import { prefersStrict } from "./strict-tools-fallback.js";

/** A block or message as it goes over the wire. */
type Wire = Record<string, unknown>;
interface WireMessage {
  role: "user" | "assistant" | "system";
  content: string | Wire[];
}

const DEFAULT_THINKING_BUDGET = 1024;
const SEE_IMAGE = "(see attached image)";
const IMAGE_MOVED = "(image attached after the tool results)";

/**
 * The request body. Source: llm-wire.md section 6.
 * @param plainTools send tools that merely prefer strict schemas without them
 */
export function anthropicBody(
  model: Model,
  context: TranscriptContext,
  options: AnthropicOptions = {},
  plainTools = false,
): Wire {
  const compat = anthropicCompat(model);
  const transcript = resolveTranscript(context, compat.supportsMidConvoSystemMessages);
  const marker = cacheMarker(compat, options);
  const system = getInitialSystemMessage(transcript.messages);
  const rest = transformMessages(withoutInitialSystemMessage(transcript.messages), model, identifierToolCallId, {
    own: anthropicOwnToolCallId,
    unique: "conversation",
  });
  const messages = wireMessages(rest, compat);
  if (marker) markLastMessage(messages, marker);
  const body: Wire = {
    model: model.id,
    messages,
    max_tokens: outputLimit(model, context, options),
    stream: true,
  };
  const systemText = system ? stripUnpairedSurrogates(getSystemMessageText(system)) : "";
  if (systemText.trim() !== "") body["system"] = [marked({ type: "text", text: systemText }, marker)];
  if (options.temperature !== undefined && !options.thinkingEnabled && compat.supportsTemperature) {
    body["temperature"] = options.temperature;
  }
  const tools = getCurrentTools(transcript.messages);
  if (tools.length > 0) body["tools"] = wireTools(tools, compat, marker, plainTools);
  Object.assign(body, thinkingFields(model, compat, options));
  const userId = options.metadata?.["user_id"];
  if (typeof userId === "string") body["metadata"] = { user_id: userId };
  if (options.toolChoice !== undefined) {
    body["tool_choice"] = typeof options.toolChoice === "string" ? { type: options.toolChoice } : options.toolChoice;
  }
  return body;
}

/** The features a request has to announce. */
export function anthropicBetas(model: Model, body: Wire, options: AnthropicOptions = {}): string[] {
  const compat = anthropicCompat(model);
  const betas: string[] = [];
  const thinks = isObject(body["thinking"]) && body["thinking"]["type"] === "enabled";
  if (thinks && options.interleavedThinking !== false) betas.push("interleaved-thinking-2025-05-14");
  if (body["tools"] !== undefined && !compat.supportsEagerToolInputStreaming) {
    betas.push("fine-grained-tool-streaming-2025-05-14");
  }
  return betas;
}

function cacheMarker(compat: ResolvedAnthropicCompat, options: AnthropicOptions): Wire | undefined {
  const retention = cacheRetention(options);
  if (retention === "none") return undefined;
  const long = retention === "long" && compat.supportsLongCacheRetention;
  return long ? { type: "ephemeral", ttl: "1h" } : { type: "ephemeral" };
}

function marked(block: Wire, marker: Wire | undefined): Wire {
  return marker ? { ...block, cache_control: marker } : block;
}

function thinkingFields(model: Model, compat: ResolvedAnthropicCompat, options: AnthropicOptions): Wire {
  if (!model.reasoning) return {};
  if (!options.thinkingEnabled) {
    return model.thinkingLevelMap?.off === null ? {} : { thinking: { type: "disabled" } };
  }
  const display = options.thinkingDisplay ?? "summarized";
  if (compat.forceAdaptiveThinking) {
    const thinking = { type: "adaptive", display };
    return options.effort === undefined ? { thinking } : { thinking, output_config: { effort: options.effort } };
  }
  const budget = options.thinkingBudgetTokens ?? DEFAULT_THINKING_BUDGET;
  return { thinking: { type: "enabled", budget_tokens: budget, display } };
}

function wireTools(
  tools: readonly Tool[],
  compat: ResolvedAnthropicCompat,
  marker: Wire | undefined,
  plainTools: boolean,
): Wire[] {
  const result = tools.map((tool) => {
    const { parameters, strict } = sentParameters(
      tool,
      compat.supportsStrictTools && !(plainTools && prefersStrict(tool)),
    );
    const wire: Wire = { name: tool.name, description: tool.description };
    if (compat.supportsEagerToolInputStreaming) wire["eager_input_streaming"] = true;
    wire["input_schema"] = inputSchema(parameters as Wire);
    if (strict) wire["strict"] = true;
    return wire;
  });
  const last = result.at(-1);
  if (last && marker && compat.supportsCacheControlOnTools) last["cache_control"] = marker;
  return result;
}

/** The parts of a schema that Anthropic takes. */
function inputSchema(parameters: Wire): Wire {
  const schema: Wire = {
    type: "object",
    properties: parameters["properties"] ?? {},
    required: parameters["required"] ?? [],
  };
  for (const key of ["additionalProperties", "$defs", "definitions"]) {
    if (parameters[key] !== undefined) schema[key] = parameters[key];
  }
  return schema;
}

function wireMessages(messages: readonly Message[], compat: ResolvedAnthropicCompat): WireMessage[] {
  const result: WireMessage[] = [];
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index];
    if (!message) continue;
    if (message.role === "toolResult") {
      const run = toolResultRun(messages, index);
      result.push({ role: "user", content: toolResultBlocks(run) });
      index += run.length - 1;
      continue;
    }
    const content = messageContent(message, compat);
    if (content.length > 0) result.push({ role: message.role, content });
  }
  return beginningWithUser(result, { role: "user", content: EARLIER_TEXT });
}

function messageContent(
  message: Exclude<Message, ToolResultMessage>,
  compat: ResolvedAnthropicCompat,
): string | Wire[] {
  switch (message.role) {
    case "system": {
      const text = renderSystemMessageUpdate(message);
      return text.trim() === "" ? [] : [{ type: "text", text }];
    }
    case "user":
      if (typeof message.content === "string") return message.content.trim() === "" ? [] : message.content;
      return contentBlocks(message.content);
    case "assistant":
      return assistantBlocks(message, compat);
  }
}

function contentBlocks(content: readonly (TextContent | ImageContent)[]): Wire[] {
  const blocks: Wire[] = [];
  for (const block of content) {
    if (block.type === "image") blocks.push(imageBlock(block));
    else if (block.text.trim() !== "") blocks.push({ type: "text", text: block.text });
  }
  return blocks;
}

function imageBlock(image: ImageContent): Wire {
  return { type: "image", source: { type: "base64", media_type: image.mimeType, data: image.data } };
}

function assistantBlocks(message: AssistantMessage, compat: ResolvedAnthropicCompat): Wire[] {
  const blocks: Wire[] = [];
  for (const block of message.content) {
    switch (block.type) {
      case "text":
        if (block.text.trim() !== "") blocks.push({ type: "text", text: block.text });
        break;
      case "thinking":
        if (block.redacted) blocks.push({ type: "redacted_thinking", data: block.thinkingSignature ?? "" });
        else if (block.thinkingSignature || compat.allowEmptySignature) {
          blocks.push({ type: "thinking", thinking: block.thinking, signature: block.thinkingSignature ?? "" });
        } else if (block.thinking.trim() !== "") blocks.push({ type: "text", text: block.thinking });
        break;
      case "toolCall":
        blocks.push({ type: "tool_use", id: block.id, name: block.name, input: block.arguments });
        break;
    }
  }
  return endingWithoutThinking(blocks, ({ type }) => type === "thinking" || type === "redacted_thinking");
}

function toolResultRun(messages: readonly Message[], start: number): ToolResultMessage[] {
  const run: ToolResultMessage[] = [];
  for (const message of messages.slice(start)) {
    if (message.role !== "toolResult") break;
    run.push(message);
  }
  return run;
}

/** One user message for all results of a turn. Error results may not hold images: those follow after the results. */
function toolResultBlocks(results: readonly ToolResultMessage[]): Wire[] {
  const blocks: Wire[] = [];
  const moved: Wire[] = [];
  for (const result of results) {
    const images = result.content.filter((block) => block.type === "image");
    const texts = result.content.filter((block) => block.type === "text").map((block) => block.text);
    const move = result.isError && images.length > 0;
    if (move) {
      texts.push(IMAGE_MOVED);
      const title = `Images from the error result of tool call ${result.toolCallId} (${result.toolName}):`;
      moved.push({ type: "text", text: title }, ...images.map(imageBlock));
    }
    blocks.push({
      type: "tool_result",
      tool_use_id: result.toolCallId,
      content: images.length === 0 || move ? texts.join("\n") : imageResultContent(result.content),
      is_error: result.isError,
    });
  }
  return [...blocks, ...moved];
}

function imageResultContent(content: ToolResultMessage["content"]): Wire[] {
  const blocks = contentBlocks(content);
  const hasText = blocks.some((block) => block["type"] === "text");
  return hasText ? blocks : [{ type: "text", text: SEE_IMAGE }, ...blocks];
}

/** Everything up to here may be cached: the marker goes on the last block of a last message that is not the model's. */
function markLastMessage(messages: WireMessage[], marker: Wire): void {
  const last = messages.at(-1);
  if (!last || last.role === "assistant") return;
  const blocks: Wire[] = typeof last.content === "string" ? [{ type: "text", text: last.content }] : last.content;
  const lastBlock = blocks.at(-1);
  if (lastBlock) blocks[blocks.length - 1] = marked(lastBlock, marker);
  last.content = blocks;
}
