import type { Usage } from "@earendil-works/pi-ai";
import type { SessionEntry } from "../session-store/entries.js";
import { type CompactionSettings, DEFAULT_COMPACTION_SETTINGS } from "./types.js";

/** Whether a context leaves less room than is reserved. */
export function shouldCompact(contextTokens: number, contextWindow: number, settings: CompactionSettings): boolean {
  const { enabled = true, reserveTokens = DEFAULT_COMPACTION_SETTINGS.reserveTokens } = settings;
  return enabled && contextTokens > contextWindow - reserveTokens;
}

/** What the last answer in these entries that neither failed nor was aborted took. */
export function getLastAssistantUsage(entries: readonly SessionEntry[]): Usage | undefined {
  for (const entry of [...entries].reverse()) {
    if (entry.type !== "message" || entry.message?.role !== "assistant") continue;
    const { stopReason, usage } = entry.message;
    if (stopReason !== "error" && stopReason !== "aborted" && usage) return usage;
  }
  return undefined;
}
