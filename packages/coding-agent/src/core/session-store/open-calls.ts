import type { AgentMessage } from "@earendil-works/pi-agent-core";
import type { EntryStore } from "./entry-store.js";

/**
 * Results for the calls of the last answer of a branch that have none: the process ended before they were stored.
 * @param path from a root to the leaf
 */
export function missingToolResults(store: EntryStore, path: readonly number[]): AgentMessage[] {
  const answered = new Set<string>();
  for (const at of path.toReversed()) {
    const role = store.index.role(at);
    if (role !== "assistant" && role !== "toolResult") {
      if (store.index.type(at) === "message" || store.index.type(at) === "compaction") return [];
      continue;
    }
    const entry = store.entry(at);
    if (entry.type !== "message") return [];
    const { message } = entry;
    if (message.role === "toolResult") answered.add(message.toolCallId);
    if (message.role !== "assistant") continue;
    if (!Array.isArray(message.content)) return [];
    return message.content.flatMap((block) =>
      block?.type === "toolCall" && typeof block.id === "string" && !answered.has(block.id)
        ? [interrupted(block.id, block.name)]
        : [],
    );
  }
  return [];
}

function interrupted(toolCallId: string, toolName: string): AgentMessage {
  return {
    role: "toolResult",
    toolCallId,
    toolName,
    content: [{ type: "text", text: "The call was interrupted: the program ended before its result was stored." }],
    isError: true,
    timestamp: Date.now(),
  };
}
