/** Texts that are asked for by themselves. Pure. */
import type { AgentMessage } from "@earendil-works/pi-agent-core";
import type { SessionEntry } from "../session-store/entries.js";

/** The text of the last assistant message, trimmed; ones that were cut short without text do not count. */
export function lastAssistantText(messages: readonly AgentMessage[]): string | undefined {
  for (const message of [...messages].reverse()) {
    if (message.role !== "assistant") continue;
    const text = textOf(message.content).trim();
    if (text !== "" || message.stopReason === "stop") return text || undefined;
  }
  return undefined;
}

/** Prompts a fork can start from, in the order they were sent, of all branches. */
export function forkablePrompts(entries: readonly SessionEntry[]): { entryId: string; text: string }[] {
  return entries.flatMap((entry) => {
    if (entry.type !== "message" || entry.message?.role !== "user") return [];
    const text = textOf(entry.message.content);
    return text === "" ? [] : [{ entryId: entry.id, text }];
  });
}

/** The text of a message's content as it is in the file, where programs of all kinds may have written it. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((block) => (block?.type === "text" && typeof block.text === "string" ? block.text : "")).join("");
}
