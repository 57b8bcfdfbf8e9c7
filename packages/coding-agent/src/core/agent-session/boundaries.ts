import type { AgentMessage } from "@earendil-works/pi-agent-core";
import type {
  AgentActivityOutcome,
  BoundaryContextPreview,
  SessionBoundaryDraft,
  TurnEndEvent,
} from "../extensions/types.js";
import { convertToLlm } from "../messages.js";
import { buildSessionProjection } from "../session-store/context.js";
import type { CompactionEntry, SessionEntry } from "../session-store/entries.js";
import { customMessage } from "./extension-hooks.js";
import type { SessionCore } from "./session-core.js";

type Turn = Pick<TurnEndEvent, "turnIndex" | "message" | "toolResults" | "messageEntryId" | "toolResultEntryIds">;

/** Where extensions may add entries and ask for one more request. Source: extensions.md section 6 ("Boundary state"). */
export class Boundaries {
  readonly #core: SessionCore;

  constructor(core: SessionCore) {
    this.#core = core;
  }

  /** @returns whether one more request is wanted */
  async turnEnd(turn: Turn): Promise<boolean> {
    const { message } = turn;
    const stop = message.role === "assistant" ? message.stopReason : undefined;
    const outcome = stop === "aborted" || stop === "error" ? stop : "completed";
    const event = this.#state({ type: "turn_end" as const, ...turn }, outcome);
    await this.#core.extensions.emit<"turn_end">(event);
    return this.#commit(event.entries) && event.continue && outcome === "completed";
  }

  /** @returns whether one more request is wanted */
  async beforeSettle(outcome: AgentActivityOutcome): Promise<boolean> {
    if (!this.#core.extensions.hasHandlers("agent_before_settle")) return false;
    const event = this.#state({ type: "agent_before_settle" as const }, outcome);
    await this.#core.extensions.emit<"agent_before_settle">(event);
    const isCommitted = this.#commit(event.entries);
    return isCommitted && event.continue && outcome === "completed" && canContinue(this.#core.agent.state.messages);
  }

  /** The event with its boundary; the context is looked at only by who wants it, and as it will be by then. */
  #state<T extends object>(fields: T, outcome: AgentActivityOutcome) {
    const event = { ...fields, entries: [] as SessionBoundaryDraft[], continue: false, outcome };
    const preview = () => this.#preview(event.entries);
    return Object.defineProperty(event, "context", { enumerable: true, get: preview }) as typeof event & {
      context: BoundaryContextPreview;
    };
  }

  #preview(drafts: readonly SessionBoundaryDraft[]): BoundaryContextPreview {
    const { agent, sessionManager } = this.#core;
    const entries = [...sessionManager.getBranch()];
    for (const [index, draft] of drafts.entries()) {
      const at = { id: `draft-${index}`, parentId: entries.at(-1)?.id ?? null, timestamp: new Date().toISOString() };
      entries.push({ ...draft, ...at, ...(draft.type === "compaction" && compactionFields(draft)) } as SessionEntry);
    }
    const { entries: contextEntries, messages } = buildSessionProjection(entries);
    return {
      contextEntries,
      contextMessages: messages,
      llmMessages: convertToLlm(messages),
      pendingMessages: agent.peekQueuedMessages(),
      canContinue: canContinue(messages) || agent.hasQueuedMessages(),
    };
  }

  /** All or nothing. @returns false when the list is not sound */
  #commit(drafts: readonly SessionBoundaryDraft[]): boolean {
    if (drafts.length === 0) return true;
    const { agent, sessionManager, extensions } = this.#core;
    const fault = drafts.map((draft) => this.#faultOf(draft)).find((text) => text !== undefined);
    if (fault !== undefined) {
      extensions.report({
        extensionPath: "<boundary>",
        event: "boundary",
        error: `Invalid boundary entries: ${fault}`,
      });
      return false;
    }
    for (const draft of drafts) this.#append(draft);
    agent.state.messages = sessionManager.buildSessionContext().messages;
    return true;
  }

  #append(draft: SessionBoundaryDraft): void {
    const { sessionManager, emit } = this.#core;
    let id: string;
    switch (draft.type) {
      case "custom":
        id = sessionManager.appendCustomEntry(draft.customType, draft.data);
        break;
      case "custom_message": {
        const { customType, content, display, details } = customMessage(draft);
        id = sessionManager.appendCustomMessageEntry(customType, content, display, details);
        break;
      }
      case "context_edit":
        id = sessionManager.appendContextEdit(draft.targetId, draft.replacement);
        break;
      case "compaction": {
        const { firstKeptEntryId, tokensBefore } = compactionFields(draft);
        const { summary, details, usage } = draft;
        id = sessionManager.appendCompaction(summary, firstKeptEntryId, tokensBefore, details, true, usage);
        break;
      }
    }
    const entry = sessionManager.getEntry(id);
    if (entry) emit.call(this.#core, { type: "entry_appended", entry });
  }

  #faultOf(draft: SessionBoundaryDraft): string | undefined {
    const known = (id: string) => this.#core.sessionManager.getEntry(id) !== undefined;
    switch (draft?.type) {
      case "custom":
      case "custom_message":
        return typeof draft.customType === "string" ? undefined : `${draft.type} has no customType`;
      case "context_edit":
        return known(draft.targetId) ? undefined : `context_edit names no entry: ${draft.targetId}`;
      case "compaction":
        if (typeof draft.summary !== "string") return "compaction has no summary";
        return draft.firstKeptEntryId === null || known(draft.firstKeptEntryId)
          ? undefined
          : `compaction names no entry: ${draft.firstKeptEntryId}`;
      default:
        return `no such type: ${String((draft as { type?: unknown } | undefined)?.type)}`;
    }
  }
}

/** Null keeps nothing: no entry has the empty id. */
function compactionFields({
  firstKeptEntryId,
}: {
  firstKeptEntryId: string | null;
}): Pick<CompactionEntry, "firstKeptEntryId" | "tokensBefore"> {
  return { firstKeptEntryId: firstKeptEntryId ?? "", tokensBefore: 0 };
}

/** A model can answer anything but its own last answer. */
function canContinue(messages: readonly AgentMessage[]): boolean {
  const last = messages.at(-1);
  return last !== undefined && last.role !== "assistant";
}
