import { contentText } from "../text/content-text.js";
import type { Context, Message, SystemMessage, Tool, TranscriptContext, TranscriptMessages } from "../types.js";

/** The brand exists only in the type system: a transcript is a plain object with messages. */
export function toTranscript(messages: Message[]): TranscriptContext {
  return { messages } as TranscriptContext;
}

/** True for the messages of the layer that declare prompt and tools. */
export function isSystemMessage(message: { role: string }): message is SystemMessage {
  return message.role === "system";
}

/**
 * The system message that declares a prompt and tools at the beginning of a conversation; undefined when there is
 * neither. Its timestamp is 0, so that equal prompts give equal messages. Source: llm.md section 2.
 */
export function createInitialSystemMessage(
  systemPrompt: string | undefined,
  tools: Tool[] | undefined,
): SystemMessage | undefined {
  const hasTools = tools !== undefined && tools.length > 0;
  if (!systemPrompt && !hasTools) return undefined;
  const message: SystemMessage = { role: "system", content: systemPrompt ?? "", timestamp: 0 };
  if (hasTools) message.toolsAdded = tools;
  return message;
}

/** Moves prompt and tools of a caller's context into a leading system message. A transcript passes unchanged. */
export function normalizeContext(context: Context): TranscriptContext {
  const initial = createInitialSystemMessage(context.systemPrompt, context.tools);
  return toTranscript(initial ? [initial, ...context.messages] : context.messages);
}

/** The leading message, if it is a system message. */
export function getInitialSystemMessage(messages: TranscriptMessages): SystemMessage | undefined {
  const first = messages[0];
  return first && isSystemMessage(first) ? first : undefined;
}

/** The messages after the leading system message. */
export function withoutInitialSystemMessage(messages: Message[]): Message[] {
  return messages[0]?.role === "system" ? messages.slice(1) : messages;
}

/** Text of a system message's own content, without its sections. */
export function systemContentText(message: SystemMessage): string {
  return contentText(message.content);
}
