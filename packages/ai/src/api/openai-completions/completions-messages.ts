import { stripUnpairedSurrogates } from "../../text/surrogates.js";
import { getSystemMessageText, renderSystemMessageUpdate } from "../../text/system-message-text.js";
import { transformMessages } from "../../transcript/transform-messages.js";
import type {
  AssistantMessage,
  ImageContent,
  Message,
  Model,
  TextContent,
  ThinkingContent,
  ToolCall,
  ToolResultMessage,
  UserMessage,
} from "../../types.js";
import { type GrammarTools, grammarInput } from "../grammar-tools.js";
import { completionsOwnToolCallId, completionsToolCallId } from "../tool-call-ids.js";
import type { ResolvedCompletionsCompat } from "./completions-compat.js";

/** A message as it goes over the wire. */
export type WireMessage = { role: string; content?: unknown } & Record<string, unknown>;

/** Fields in which servers stream readable reasoning, and want it back. */
export const REASONING_FIELDS = ["reasoning_content", "reasoning", "reasoning_text"] as const;

const SEE_IMAGE = "(see attached image)";
const NO_OUTPUT = "(no tool output)";
const IMAGES_TITLE = "Attached image(s) from tool result:";
const PROCESSED = "I have processed the tool results.";

/** The messages of a request. The leading system message must be the first of the transcript. */
export function wireMessages(
  messages: readonly Message[],
  model: Model,
  compat: ResolvedCompletionsCompat,
  grammars: GrammarTools,
): WireMessage[] {
  const adapted = transformMessages(messages, model, (id) => completionsToolCallId(id, model.provider), {
    own: (id) => completionsOwnToolCallId(id, model.provider),
  });
  const systemRole = model.reasoning && compat.supportsDeveloperRole ? "developer" : "system";
  const result: WireMessage[] = [];
  for (let index = 0; index < adapted.length; index++) {
    const message = adapted[index];
    switch (message?.role) {
      case "system": {
        const text = index === 0 ? getSystemMessageText(message) : renderSystemMessageUpdate(message);
        if (text !== "") result.push({ role: systemRole, content: stripUnpairedSurrogates(text) });
        break;
      }
      case "user":
        pushUser(result, message, compat);
        break;
      case "assistant": {
        const wire = assistantMessage(message, model, compat, grammars);
        if (wire) result.push(wire);
        break;
      }
      case "toolResult":
        index = pushToolResults(result, adapted, index, compat);
        break;
    }
  }
  return result;
}

function pushUser(result: WireMessage[], message: UserMessage, compat: ResolvedCompletionsCompat): void {
  const content = typeof message.content === "string" ? message.content : userParts(message.content);
  if (content.length === 0) return;
  separateFromResults(result, compat);
  result.push({ role: "user", content });
}

/** Some servers want the model to speak between tool results and the user. */
function separateFromResults(result: WireMessage[], compat: ResolvedCompletionsCompat): void {
  if (compat.requiresAssistantAfterToolResult && result.at(-1)?.role === "tool") {
    result.push({ role: "assistant", content: PROCESSED });
  }
}

function userParts(content: readonly (TextContent | ImageContent)[]): Record<string, unknown>[] {
  const parts: Record<string, unknown>[] = [];
  for (const block of content) {
    if (block.type === "image") parts.push(imagePart(block));
    else if (block.text !== "") parts.push({ type: "text", text: block.text });
  }
  return parts;
}

function imagePart(image: ImageContent): Record<string, unknown> {
  return { type: "image_url", image_url: { url: `data:${image.mimeType};base64,${image.data}` } };
}

function assistantMessage(
  message: AssistantMessage,
  model: Model,
  compat: ResolvedCompletionsCompat,
  grammars: GrammarTools,
): WireMessage | undefined {
  const texts = message.content.filter((block) => block.type === "text" && block.text.trim() !== "");
  const text = texts.map((block) => (block.type === "text" ? block.text : "")).join("");
  const thinking = message.content.filter((block) => block.type === "thinking");
  const calls = message.content.filter((block) => block.type === "toolCall");
  if (text === "" && calls.length === 0) return undefined;
  const needsText = compat.requiresNonNullAssistantContent || compat.requiresAssistantAfterToolResult;
  const wire: WireMessage = { role: "assistant", content: text !== "" ? text : needsText ? "" : null };
  if (compat.requiresThinkingAsText) addThinkingAsText(wire, thinking, text);
  else Object.assign(wire, replayedThinking(thinking));
  if (model.reasoning && compat.requiresReasoningContentOnAssistantMessages) wire["reasoning_content"] ??= "";
  if (calls.length > 0) {
    wire["tool_calls"] = calls.map((call) => wireCall(call, grammars));
  }
  return wire;
}

function wireCall(call: ToolCall, grammars: GrammarTools): Record<string, unknown> {
  const { id, name } = call;
  const input = grammarInput(call, grammars);
  if (input !== undefined) return { id, type: "custom", custom: { name, input } };
  return { id, type: "function", function: { name, arguments: JSON.stringify(call.arguments) } };
}

function addThinkingAsText(wire: WireMessage, thinking: readonly ThinkingContent[], text: string): void {
  const parts = [...thinking.map((block) => block.thinking), text].filter((part) => part.trim() !== "");
  if (parts.length > 0) wire.content = parts.map((part) => ({ type: "text", text: part }));
}

/** Thinking goes back in the field it came in, which its signature names; or as the details the signature holds. */
function replayedThinking(thinking: readonly ThinkingContent[]): Record<string, unknown> {
  const fields: Record<string, string[]> = {};
  const details: unknown[] = [];
  for (const block of thinking) {
    const signature = block.thinkingSignature ?? "";
    if (signature.startsWith("[")) details.push(...parsedDetails(signature));
    else if (REASONING_FIELDS.some((field) => field === signature)) {
      fields[signature] = [...(fields[signature] ?? []), block.thinking];
    }
  }
  if (details.length > 0) return { reasoning_details: details };
  return Object.fromEntries(Object.entries(fields).map(([field, texts]) => [field, texts.join("\n")]));
}

function parsedDetails(signature: string): unknown[] {
  try {
    const value: unknown = JSON.parse(signature);
    return Array.isArray(value) ? value : [];
  } catch {
    // A signature of unknown origin is better left out than sent.
    return [];
  }
}

/** Adds a run of tool results and, in one user message after them, their images. Returns the index of the last one. */
function pushToolResults(
  result: WireMessage[],
  messages: readonly Message[],
  start: number,
  compat: ResolvedCompletionsCompat,
): number {
  const images: ImageContent[] = [];
  let index = start;
  for (; index < messages.length; index++) {
    const message = messages[index];
    if (message?.role !== "toolResult") break;
    const own = message.content.filter((block) => block.type === "image");
    images.push(...own);
    result.push(toolMessage(message, own.length > 0, compat));
  }
  if (images.length > 0) {
    separateFromResults(result, compat);
    result.push({ role: "user", content: [{ type: "text", text: IMAGES_TITLE }, ...images.map(imagePart)] });
  }
  return index - 1;
}

function toolMessage(message: ToolResultMessage, hasImages: boolean, compat: ResolvedCompletionsCompat): WireMessage {
  const texts = message.content.filter((block) => block.type === "text").map((block) => block.text);
  const content = texts.join("\n") || (hasImages ? SEE_IMAGE : NO_OUTPUT);
  const wire: WireMessage = { role: "tool", content, tool_call_id: message.toolCallId };
  if (compat.requiresToolResultName) wire["name"] = message.toolName;
  return wire;
}
