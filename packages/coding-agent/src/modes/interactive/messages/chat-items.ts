import type { AgentMessage } from "@earendil-works/pi-agent-core";
import { sessionEntryToContextMessages } from "../../../core/session-store/context.js";
import type { CustomEntry, SessionEntry } from "../../../core/session-store/entries.js";

/** What the chat is made of: messages, and entries that extensions draw. */
export type ChatItem = AgentMessage | CustomEntry;

export function isCustomEntry(item: ChatItem): item is CustomEntry {
  return "type" in item && item.type === "custom";
}

/**
 * The items of the entries of a context. What the user saw stays, also where the model is told something else: failed
 * answers, edited messages. A summary stands where it was made, behind what it kept.
 */
export function chatItems(entries: readonly SessionEntry[]): ChatItem[] {
  const items: { item: ChatItem; time: string }[] = [];
  let summary: { item: ChatItem; time: string } | undefined;
  for (const [index, entry] of entries.entries()) {
    const time = entry.timestamp;
    if (entry.type === "custom") items.push({ item: entry, time });
    else if (entry.type !== "compaction") {
      for (const item of sessionEntryToContextMessages(entry)) items.push({ item, time });
    } else if (index === 0) {
      const item = sessionEntryToContextMessages(entry).find(({ role }) => role === "compactionSummary");
      summary = item && { item, time };
    }
  }
  if (!summary) return items.map(({ item }) => item);
  const { time } = summary;
  const later = items.findIndex((one) => one.time > time);
  items.splice(later < 0 ? items.length : later, 0, summary);
  return items.map(({ item }) => item);
}
