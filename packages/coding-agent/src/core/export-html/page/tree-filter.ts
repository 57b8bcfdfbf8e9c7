import { toolCalls } from "./entry-text.js";
import { contentText, text } from "./fields.js";
import type { Entry } from "./session.js";

/** What the tree shows. Source: sessions.md section 4. */
export const treeFilters = ["default", "no-tools", "user-only", "labeled-only", "all"] as const;
export type TreeFilter = (typeof treeFilters)[number];

/** Entries that say something about the session rather than in it. */
const bookkeeping = new Set([
  "label",
  "custom",
  "context_edit",
  "session_info",
  "model_change",
  "thinking_level_change",
]);

/** Whether the filter lets an entry through. The leaf shows always, and that is for the caller to know. */
export function passes(filter: TreeFilter, entry: Entry, hasLabel: boolean): boolean {
  if (entry.type === "usage") return false;
  switch (filter) {
    case "all":
      return true;
    case "user-only":
      return entry.role === "user";
    case "labeled-only":
      return hasLabel;
    case "no-tools":
      return entry.role !== "toolResult" && isTalk(entry);
    case "default":
      return isTalk(entry);
  }
}

function isTalk({ type, role, message }: Entry): boolean {
  if (bookkeeping.has(type)) return false;
  if (role !== "assistant" || toolCalls(message).length === 0) return true;
  return contentText(message["content"]).trim() !== "" || ["error", "aborted"].includes(text(message["stopReason"]));
}
