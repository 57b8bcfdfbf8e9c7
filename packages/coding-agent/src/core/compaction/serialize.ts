/** A conversation as text that a model can summarise. Pure. Source: sessions.md section 5, "Request". */
import type { AgentMessage } from "@earendil-works/pi-agent-core";
import type { Message } from "@earendil-works/pi-ai";
import { convertToLlm } from "../messages.js";
import { BLOCK_BREAK } from "./shorten.js";

const TOOL_RESULT_CHARS = 2000;

/** Blocks with a blank line between them; thinking, images and system messages are left out. */
export function serializeConversation(messages: readonly Message[]): string {
  return messages.flatMap(blocksOf).join(BLOCK_BREAK);
}

/** As `serializeConversation`, for messages of a session, block by block. */
export function conversationBlocks(messages: readonly AgentMessage[]): string[] {
  return convertToLlm([...messages]).flatMap(blocksOf);
}

function blocksOf(message: Message): string[] {
  switch (message.role) {
    case "user":
      return labelled("User", textOf(message.content));
    case "assistant": {
      const calls = message.content.flatMap((block) =>
        block.type === "toolCall" ? `${block.name}(${argumentsText(block.arguments)})` : [],
      );
      return [...labelled("Assistant", textOf(message.content)), ...labelled("Assistant tool calls", calls.join("; "))];
    }
    case "toolResult":
      return labelled("Tool result", shortened(textOf(message.content)));
    default:
      return [];
  }
}

function labelled(label: string, text: string): string[] {
  return text === "" ? [] : [`[${label}]: ${text}`];
}

function textOf(content: string | readonly { type: string; text?: string }[]): string {
  if (typeof content === "string") return content;
  return content.flatMap((block) => (block.type === "text" ? (block.text ?? "") : [])).join("\n");
}

function argumentsText(args: unknown): string {
  return Object.entries((args ?? {}) as object)
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join(", ");
}

function shortened(text: string): string {
  if (text.length <= TOOL_RESULT_CHARS) return text;
  const rest = text.length - TOOL_RESULT_CHARS;
  return `${text.slice(0, TOOL_RESULT_CHARS)}\n\n[... ${rest} more characters truncated]`;
}
