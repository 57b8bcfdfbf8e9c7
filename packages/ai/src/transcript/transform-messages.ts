import { stripUnpairedSurrogates } from "../text/surrogates.js";
import type {
  AssistantMessage,
  ImageContent,
  Message,
  Model,
  SystemMessage,
  TextContent,
  ToolCall,
  ToolResultMessage,
} from "../types.js";

const USER_IMAGE_OMITTED = "(image omitted: model does not support images)";
const TOOL_IMAGE_OMITTED = "(tool image omitted: model does not support images)";
const NO_RESULT = "No result provided";

/** Gives a tool call of another model an id that the target accepts. */
export type NormalizeToolCallId = (id: string, source: AssistantMessage) => string;

/** True when the message came from exactly this model, so that its opaque data may be replayed. */
export function isFromModel(message: AssistantMessage, model: Model): boolean {
  return message.provider === model.provider && message.api === model.api && message.model === model.id;
}

/**
 * Makes a transcript fit for a model, whatever models it came from: foreign thinking and signatures are dropped,
 * foreign call ids renamed, failed answers left out, missing tool results filled in, images replaced where the model
 * cannot see them, text cleaned of unpaired surrogates. Messages that need no change are passed on as they are.
 * Source: llm.md section 7.
 */
export function transformMessages(
  messages: readonly Message[],
  model: Model,
  normalizeToolCallId: NormalizeToolCallId = (id) => id,
): Message[] {
  const ids = new Map<string, string>();
  const adapted: Message[] = [];
  /** Calls of answers that are left out: their results go with them. */
  const omittedCalls = new Set<string>();
  for (const message of messages) {
    if (message.role === "assistant") {
      const failed = message.stopReason === "error" || message.stopReason === "aborted";
      for (const call of toolCalls(message)) {
        if (failed) omittedCalls.add(call.id);
        else omittedCalls.delete(call.id);
      }
      if (!failed) adapted.push(adaptAssistant(message, model, normalizeToolCallId, ids));
    } else if (message.role !== "toolResult") {
      adapted.push(message.role === "user" ? adaptUser(message, model) : cleanSystem(message));
    } else if (!omittedCalls.has(message.toolCallId)) {
      adapted.push(adaptToolResult(message, model, ids));
    }
  }
  return pairToolResults(adapted);
}

function adaptUser(message: Extract<Message, { role: "user" }>, model: Model): Message {
  const content = message.content ?? [];
  if (typeof content === "string") return { ...message, content: stripUnpairedSurrogates(content) };
  return { ...message, content: adaptContent(content, model, USER_IMAGE_OMITTED) };
}

function cleanSystem(message: SystemMessage): SystemMessage {
  const content = message.content ?? [];
  if (typeof content === "string") return { ...message, content: stripUnpairedSurrogates(content) };
  return { ...message, content: content.map(cleanText) };
}

function adaptToolResult(message: ToolResultMessage, model: Model, ids: ReadonlyMap<string, string>): Message {
  const content = adaptContent(message.content ?? [], model, TOOL_IMAGE_OMITTED);
  return { ...message, content, toolCallId: ids.get(message.toolCallId) ?? message.toolCallId };
}

function adaptContent(
  content: readonly (TextContent | ImageContent)[],
  model: Model,
  placeholder: string,
): (TextContent | ImageContent)[] {
  const seesImages = model.input.includes("image");
  const result: (TextContent | ImageContent)[] = [];
  let previousWasPlaceholder = false;
  for (const block of content) {
    const omit = block.type === "image" && !seesImages;
    if (!omit) result.push(block.type === "text" ? cleanText(block) : block);
    else if (!previousWasPlaceholder) result.push({ type: "text", text: placeholder });
    previousWasPlaceholder = omit;
  }
  return result;
}

function adaptAssistant(
  message: AssistantMessage,
  model: Model,
  normalizeToolCallId: NormalizeToolCallId,
  ids: Map<string, string>,
): AssistantMessage {
  const own = isFromModel(message, model);
  const content: AssistantMessage["content"] = [];
  for (const block of message.content ?? []) {
    switch (block.type) {
      case "thinking":
        if (own && (block.redacted || block.thinkingSignature || block.thinking.trim() !== "")) {
          content.push({ ...block, thinking: stripUnpairedSurrogates(block.thinking) });
        }
        break;
      case "text":
        content.push(own ? cleanText(block) : { type: "text", text: stripUnpairedSurrogates(block.text) });
        break;
      case "toolCall":
        content.push(own ? block : foreignToolCall(block, normalizeToolCallId(block.id, message), ids));
        // An id of this model may repeat one that was renamed earlier.
        if (own) ids.delete(block.id);
        break;
    }
  }
  return { ...message, content };
}

function foreignToolCall(call: ToolCall, id: string, ids: Map<string, string>): ToolCall {
  ids.set(call.id, id);
  const { thoughtSignature: _, ...rest } = call;
  return { ...rest, id };
}

function cleanText(block: TextContent): TextContent {
  const text = stripUnpairedSurrogates(block.text);
  return text === block.text ? block : { ...block, text };
}

/** Results right after their calls: missing ones are made up, system messages in between wait until after them. */
function pairToolResults(messages: readonly Message[]): Message[] {
  const result: Message[] = [];
  let waiting = new Map<string, ToolCall>();
  let held: Message[] = [];
  let timestamp = 0;
  const release = (): void => {
    for (const call of waiting.values()) result.push(missingResult(call, timestamp));
    result.push(...held);
    waiting = new Map();
    held = [];
  };
  for (const message of messages) {
    if (message.role === "system" && waiting.size > 0) {
      held.push(message);
      continue;
    }
    if (message.role === "user" || message.role === "assistant") release();
    result.push(message);
    if (message.role === "assistant") {
      timestamp = message.timestamp;
      for (const call of toolCalls(message)) waiting.set(call.id, call);
    } else if (message.role === "toolResult" && waiting.delete(message.toolCallId) && waiting.size === 0) {
      release();
    }
  }
  release();
  return result;
}

function missingResult(call: ToolCall, timestamp: number): ToolResultMessage {
  return {
    role: "toolResult",
    toolCallId: call.id,
    toolName: call.name,
    content: [{ type: "text", text: NO_RESULT }],
    isError: true,
    timestamp,
  };
}

function toolCalls(message: AssistantMessage): ToolCall[] {
  return (message.content ?? []).filter((block) => block.type === "toolCall");
}
