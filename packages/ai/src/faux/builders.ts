import { emptyUsage } from "../models/cost.js";
import type { AssistantMessage, DeferredHandle, StopReason, TextContent, ThinkingContent, ToolCall } from "../types.js";
import { uuidv7 } from "../uuidv7.js";

/** A block of a scripted answer. */
export type FauxContentBlock = TextContent | ThinkingContent | ToolCall;

/** What may be said about a scripted answer beside its content. */
export interface FauxMessageOptions {
  /** Default: `toolUse` when there is a tool call, else `stop`. */
  stopReason?: StopReason;
  errorMessage?: string;
  responseId?: string;
  /** Unix time in ms. Default: now. */
  timestamp?: number;
  deferred?: DeferredHandle;
}

/** A text block. */
export function fauxText(text: string): TextContent {
  return { type: "text", text };
}

/** A thinking block. */
export function fauxThinking(thinking: string): ThinkingContent {
  return { type: "thinking", thinking };
}

/** A tool call with a fresh id, unless one is given. */
export function fauxToolCall(name: string, args: ToolCall["arguments"], options: { id?: string } = {}): ToolCall {
  return { type: "toolCall", id: options.id ?? `call_${uuidv7()}`, name, arguments: args };
}

/** An answer for a faux provider: a text, a block or several blocks. Usage and model are filled in when it is given. */
export function fauxAssistantMessage(
  content: string | FauxContentBlock | FauxContentBlock[],
  options: FauxMessageOptions = {},
): AssistantMessage {
  const blocks = typeof content === "string" ? [fauxText(content)] : Array.isArray(content) ? content : [content];
  const callsTools = blocks.some((block) => block.type === "toolCall");
  const message: AssistantMessage = {
    role: "assistant",
    content: blocks,
    api: "faux",
    provider: "faux",
    model: "faux-1",
    usage: emptyUsage(),
    stopReason: options.stopReason ?? (callsTools ? "toolUse" : "stop"),
    timestamp: options.timestamp ?? Date.now(),
  };
  if (options.errorMessage !== undefined) message.errorMessage = options.errorMessage;
  if (options.responseId !== undefined) message.responseId = options.responseId;
  if (options.deferred !== undefined) message.deferred = options.deferred;
  return message;
}
