import { estimateTokens, usageOf } from "../compaction/tokens.js";
import type { SessionManager } from "../session-manager.js";
import { sessionEntryToContextMessages } from "../session-store/context.js";
import type { SessionEntry } from "../session-store/entries.js";

/** How full the context window is. */
export interface ContextUsage {
  /** Null from a compaction until the next answer that tells its usage. */
  tokens: number | null;
  contextWindow: number;
  /** 0-100, not rounded. */
  percent: number | null;
}

/**
 * The size of the active context, from the last answer that told its usage and estimates of what came after. Looks at
 * the end of the branch only, and once per leaf. Source: sessions.md sections 5 and 7.
 */
export class ContextMeter {
  readonly #sessionManager: SessionManager;
  #measured: { leafId: string | null; tokens: number; isFresh: boolean } | undefined;

  constructor(sessionManager: SessionManager) {
    this.#sessionManager = sessionManager;
  }

  /** Tokens of the next request, as far as can be told. */
  get tokens(): number {
    return this.#measure().tokens;
  }

  usage(contextWindow: number): ContextUsage {
    const { tokens, isFresh } = this.#measure();
    return isFresh
      ? { tokens, contextWindow, percent: (tokens / contextWindow) * 100 }
      : { tokens: null, contextWindow, percent: null };
  }

  #measure() {
    const leafId = this.#sessionManager.getLeafId();
    if (this.#measured?.leafId !== leafId) this.#measured = { leafId, ...this.#walkBack(leafId) };
    return this.#measured;
  }

  #walkBack(leafId: string | null): { tokens: number; isFresh: boolean } {
    let trailing = 0;
    const seen = new Set<string>();
    for (let id = leafId; id !== null && !seen.has(id); ) {
      const entry = this.#sessionManager.getEntry(id);
      if (!entry) break;
      seen.add(id);
      const used = entry.type === "message" && entry.message ? usageOf(entry.message) : 0;
      if (used > 0) return { tokens: used + trailing, isFresh: true };
      // The usage told before an edit or a summary is of another context: all of it is estimated.
      if (entry.type === "context_edit") return { tokens: this.#estimateAll(), isFresh: !this.#hasCompaction() };
      if (entry.type === "compaction") return { tokens: this.#estimateAll(), isFresh: false };
      trailing += entryTokens(entry);
      id = entry.parentId ?? null;
    }
    return { tokens: trailing, isFresh: true };
  }

  #estimateAll(): number {
    const { messages } = this.#sessionManager.buildSessionContext();
    return messages.reduce((sum, message) => sum + estimateTokens(message), 0);
  }

  #hasCompaction(): boolean {
    return this.#sessionManager.buildContextEntries()[0]?.type === "compaction";
  }
}

function entryTokens(entry: SessionEntry): number {
  return sessionEntryToContextMessages(entry).reduce((sum, message) => sum + estimateTokens(message), 0);
}
