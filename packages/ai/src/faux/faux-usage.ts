import { contentText } from "../text/content-text.js";
import { getSystemMessageText } from "../text/system-message-text.js";
import type { AssistantMessage, Message, SimpleStreamOptions, Usage } from "../types.js";

export const FAUX_CHARS_PER_TOKEN = 4;

/** Estimates what a scripted answer used, prompt cache included. Source: llm.md section 6. */
export class FauxUsage {
  /** The last prompt of each session: what a following prompt shares with it counts as cached. */
  readonly #prompts = new Map<string, string>();

  fill(usage: Usage, messages: readonly Message[], answer: AssistantMessage, options: SimpleStreamOptions = {}): void {
    const prompt = promptText(messages);
    const total = tokensOf(prompt.length);
    usage.output = tokensOf(answerText(answer).length);
    usage.input = total;
    const { sessionId } = options;
    if (sessionId && options.cacheRetention !== "none") {
      const shared = sharedPrefix(this.#prompts.get(sessionId) ?? "", prompt);
      usage.cacheRead = Math.floor(shared / FAUX_CHARS_PER_TOKEN);
      usage.cacheWrite = total - usage.cacheRead;
      usage.input = 0;
      this.#prompts.set(sessionId, prompt);
    }
    usage.totalTokens = usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
  }
}

function tokensOf(chars: number): number {
  return Math.ceil(chars / FAUX_CHARS_PER_TOKEN);
}

function promptText(messages: readonly Message[]): string {
  return messages.map((message) => `${message.role}:${messageText(message)}`).join("\n\n");
}

function messageText(message: Message): string {
  switch (message.role) {
    case "system":
      return getSystemMessageText(message) + (message.toolsAdded ? JSON.stringify(message.toolsAdded) : "");
    case "assistant":
      return answerText(message);
    default:
      return contentText(message.content);
  }
}

function answerText(message: AssistantMessage): string {
  const parts = message.content.map((block) => {
    if (block.type === "text") return block.text;
    return block.type === "thinking" ? block.thinking : `${block.name}:${JSON.stringify(block.arguments)}`;
  });
  return parts.join("\n");
}

function sharedPrefix(a: string, b: string): number {
  const limit = Math.min(a.length, b.length);
  let index = 0;
  while (index < limit && a.charCodeAt(index) === b.charCodeAt(index)) index++;
  return index;
}
