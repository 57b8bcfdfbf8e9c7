import { stripUnpairedSurrogates } from "../../text/surrogates.js";
import { getSystemMessageText, renderSystemMessageUpdate } from "../../text/system-message-text.js";
import { isFromModel, transformMessages } from "../../transcript/transform-messages.js";
import type { AssistantMessage, ImageContent, Message, Model, TextContent, ToolResultMessage } from "../../types.js";
import { MistralToolCallIds } from "../tool-call-ids.js";

/** A message or a part as hooks see it: with members in camel case, which the wire has in snake case. */
export type MistralMessage = { role: string } & Record<string, unknown>;

const SEE_IMAGE = "(see attached image)";
const NO_OUTPUT = "(no tool output)";
const ERROR_PREFIX = "[tool error] ";

/** The messages of a request. The leading system message must be the first of the transcript. Source: section 8. */
export function mistralMessages(messages: readonly Message[], model: Model): MistralMessage[] {
  const ids = new MistralToolCallIds(ownCallIds(messages, model));
  const adapted = transformMessages(messages, model, (id) => ids.of(id), { own: (id) => ids.ofOwn(id) });
  const result: MistralMessage[] = [];
  adapted.forEach((message, index) => {
    switch (message.role) {
      case "system": {
        const text = index === 0 ? getSystemMessageText(message) : renderSystemMessageUpdate(message);
        if (text !== "") result.push({ role: "system", content: stripUnpairedSurrogates(text) });
        break;
      }
      case "user": {
        const content = typeof message.content === "string" ? message.content : parts(message.content);
        if (content.length > 0) result.push({ role: "user", content });
        break;
      }
      case "assistant": {
        const wire = assistantMessage(message);
        if (wire) result.push(wire);
        break;
      }
      case "toolResult":
        result.push(toolMessage(message));
        break;
    }
  });
  return result;
}

function ownCallIds(messages: readonly Message[], model: Model): string[] {
  return messages.flatMap((message) => {
    if (message.role !== "assistant" || !isFromModel(message, model)) return [];
    return (message.content ?? []).flatMap((block) => (block.type === "toolCall" ? [block.id] : []));
  });
}

function parts(content: readonly (TextContent | ImageContent)[]): Record<string, unknown>[] {
  return content.flatMap((block): Record<string, unknown>[] => {
    if (block.type === "image") return [imagePart(block)];
    return block.text === "" ? [] : [{ type: "text", text: block.text }];
  });
}

function imagePart(image: ImageContent): Record<string, unknown> {
  return { type: "image_url", imageUrl: `data:${image.mimeType};base64,${image.data}` };
}

function assistantMessage(message: AssistantMessage): MistralMessage | undefined {
  const content: Record<string, unknown>[] = [];
  const toolCalls: Record<string, unknown>[] = [];
  for (const block of message.content) {
    switch (block.type) {
      case "text":
        if (block.text.trim() !== "") content.push({ type: "text", text: block.text });
        break;
      case "thinking":
        if (block.thinking.trim() !== "") {
          content.push({ type: "thinking", thinking: [{ type: "text", text: block.thinking }] });
        }
        break;
      case "toolCall": {
        const called = { name: block.name, arguments: JSON.stringify(block.arguments) };
        toolCalls.push({ id: block.id, type: "function", function: called, index: 0 });
        break;
      }
    }
  }
  if (content.length === 0 && toolCalls.length === 0) return undefined;
  const wire: MistralMessage = { role: "assistant", prefix: false };
  if (content.length > 0) wire["content"] = content;
  if (toolCalls.length > 0) wire["toolCalls"] = toolCalls;
  return wire;
}

function toolMessage(message: ToolResultMessage): MistralMessage {
  const images = message.content.filter((block) => block.type === "image");
  const texts = message.content.filter((block) => block.type === "text").map((block) => block.text);
  const text = texts.join("\n").trim() || (images.length > 0 ? SEE_IMAGE : NO_OUTPUT);
  return {
    role: "tool",
    toolCallId: message.toolCallId,
    name: message.toolName,
    content: [{ type: "text", text: message.isError ? ERROR_PREFIX + text : text }, ...images.map(imagePart)],
  };
}
