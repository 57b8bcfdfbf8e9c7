import type { AgentMessage } from "@earendil-works/pi-agent-core";
import type { AssistantMessage, RetryCallbacks, RetryPolicy } from "@earendil-works/pi-ai";
import type { CompactionReason } from "../agent-session-events.js";
import type { SummaryRequestOptions } from "../compaction/summary-request.js";
import { estimateTokens } from "../compaction/tokens.js";
import { shouldCompact } from "../compaction/trigger.js";
import type { BranchSummaryResult, CompactionPreparation, CompactionResult } from "../compaction/types.js";
import type { SessionBeforeCompactEvent } from "../extensions/types.js";
import { noModelSelectedText } from "../models/no-model-text.js";
import type { SessionEntry } from "../session-store/entries.js";
import type { ContextMeter } from "./context-usage.js";
import { hideFromContext } from "./hide-message.js";
import { overflowOf, recoveryFailedText } from "./overflow-check.js";
import type { SessionCore } from "./session-core.js";

/** Failed automatic compactions in a row after which a run goes on without them. */
const MAX_FAILURES = 3;

/**
 * Keeps the conversation within the context window: by hand, at a threshold, after an overflow; and summarises branches
 * that are left. Source: sessions.md sections 5-6.
 */
export class Summaries {
  readonly #core: SessionCore;
  readonly #meter: ContextMeter;
  /** The work of a run in progress. */
  #active: AbortController | undefined;
  /** The work that a user asked for, from its first moment on. */
  #manualScope: AbortController | undefined;
  /** Settles when the work a user asked for has ended; undefined while there is none. */
  #manual: Promise<unknown> | undefined;
  /** One attempt to recover from an overflow was made since the last good answer. */
  #hasRecovered = false;
  #failures = 0;

  constructor(core: SessionCore, meter: ContextMeter) {
    this.#core = core;
    this.#meter = meter;
  }

  get isActive(): boolean {
    return this.#active !== undefined || this.#manual !== undefined;
  }

  /** A compaction the user asked for, or a move through the tree: prompts must wait. */
  get isManualActive(): boolean {
    return this.#manual !== undefined;
  }

  async waitForManual(): Promise<void> {
    await this.#manual?.catch(() => {});
  }

  cancel(): void {
    this.cancelOfRun();
    this.#manualScope?.abort();
  }

  /** What the user asked for goes on. */
  cancelOfRun(): void {
    this.#active?.abort();
  }

  /** Holds prompts back while the user's own work on the conversation goes on; `cancel()` is heard from the first moment. */
  async whileManual<T>(work: () => Promise<T>): Promise<T> {
    this.#manualScope = new AbortController();
    const running = work();
    this.#manual = running;
    try {
      return await running;
    } finally {
      this.#manual = undefined;
      this.#manualScope = undefined;
    }
  }

  /** A new prompt, or a good answer: an overflow may be recovered from again. */
  noteProgress(message: AgentMessage): void {
    const isGoodAnswer =
      message.role === "assistant" && message.stopReason !== "error" && message.stopReason !== "length";
    if (message.role === "user" || isGoodAnswer) this.#hasRecovered = false;
  }

  /**
   * Compacts because the user asked for it; the session must be idle.
   * @throws when there is nothing to compact, when it fails and when it is cancelled
   */
  async compactByHand(customInstructions: string | undefined): Promise<CompactionResult> {
    this.#core.emit({ type: "compaction_start", reason: "manual" });
    try {
      const result = await this.#compact("manual", await this.#prepare("manual"), customInstructions);
      this.#end("manual", { result });
      return result;
    } catch (error) {
      throw this.#failed("manual", "Compaction failed", error);
    }
  }

  /** Before a prompt: makes room when the last answer left too little. */
  async beforePrompt(): Promise<void> {
    this.#failures = 0;
    const last = this.#lastAnswer();
    if (last) await this.#check(last);
  }

  /** After a run. True when the answer is to be asked for again. */
  async afterRun(): Promise<boolean> {
    const last = this.#lastAnswer();
    return last !== undefined && last.stopReason !== "aborted" && (await this.#check(last));
  }

  /** Between two requests of a run. True when the context is another one now. */
  async betweenTurns(): Promise<boolean> {
    const { model } = this.#core;
    if (!model || model.contextWindow <= 0 || this.#failures >= MAX_FAILURES) return false;
    const settings = this.#core.services.settingsManager.getCompactionSettings(model);
    if (!shouldCompact(this.#meter.tokens, model.contextWindow, settings)) return false;
    return this.#compactByItself("threshold", false);
  }

  /** Summarises a branch that is left; cancelled by `cancel()`. */
  async summarizeBranch(
    entries: readonly SessionEntry[],
    options: { customInstructions?: string | undefined; replaceInstructions?: boolean | undefined },
  ): Promise<BranchSummaryResult> {
    const { generateBranchSummary } = await import("../compaction/branch-summary.js");
    const { reserveTokens } = this.#core.services.settingsManager.getBranchSummarySettings();
    return this.abortable((signal) =>
      generateBranchSummary(entries, {
        ...this.#requestOptions(signal, { source: "branchSummary" }),
        ...options,
        signal,
        reserveTokens,
      }),
    );
  }

  /** @returns whether the run goes on by itself */
  async #check(last: AssistantMessage): Promise<boolean> {
    const { model, services } = this.#core;
    if (!model || this.#failures >= MAX_FAILURES) return false;
    const settings = services.settingsManager.getCompactionSettings(model);
    if (!settings.enabled || this.#isBeforeCompaction(last)) return false;
    const overflow = overflowOf(last, model);
    if (overflow === "finished") {
      await this.#compactByItself("overflow", false);
      return false;
    }
    if (overflow) return this.#recover(last, overflow);
    // Right after a summary nobody knows the size: the next answer will tell.
    const { tokens } = this.#meter.usage(model.contextWindow);
    if (tokens !== null && model.contextWindow > 0 && shouldCompact(tokens, model.contextWindow, settings)) {
      await this.#compactByItself("threshold", false);
    }
    return false;
  }

  /** Hides what did not fit, makes room and asks again: once. */
  async #recover(last: AssistantMessage, overflow: "failed" | "cut"): Promise<boolean> {
    if (this.#hasRecovered) {
      this.#end("overflow", { errorMessage: recoveryFailedText(overflow) });
      return false;
    }
    const { messages } = this.#core.agent.state;
    const calls = new Set(last.content.flatMap((block) => (block.type === "toolCall" ? block.id : [])));
    const results = messages.filter((message) => message.role === "toolResult" && calls.has(message.toolCallId));
    const failed = [last, ...results];
    // Where there is nothing to summarise, hiding the answer would only lose it.
    if (!(await this.#prepareWithout("overflow", failed))) return false;
    this.#hasRecovered = true;
    hideFromContext(this.#core, failed);
    return this.#compactByItself("overflow", true);
  }

  /** Failures are told, not thrown. Nothing to do is nothing to tell. */
  async #compactByItself(reason: "threshold" | "overflow", willRetry: boolean): Promise<boolean> {
    const preparation = await this.#prepareWithout(reason, []);
    if (!preparation) return false;
    try {
      const result = await this.#cancellable(() => {
        this.#core.emit({ type: "compaction_start", reason });
        return this.#compact(reason, preparation, undefined, willRetry);
      });
      this.#failures = 0;
      this.#end(reason, { result, willRetry });
      return true;
    } catch (error) {
      this.#failures++;
      this.#failed(
        reason,
        reason === "overflow" ? "Context overflow recovery failed" : "Auto-compaction failed",
        error,
      );
      return false;
    }
  }

  /** @throws NothingToCompactError */
  async #prepare(reason: CompactionReason, hidden: readonly AgentMessage[] = []): Promise<CompactionPreparation> {
    const { model, services, sessionManager } = this.#core;
    if (!model) throw new Error(noModelSelectedText);
    const { prepareCompaction } = await import("../compaction/prepare.js");
    const branch = [...sessionManager.getBranch(), ...hidden.flatMap((message) => this.#editThatHides(message))];
    const settings = services.settingsManager.getCompactionSettings(model);
    if (model.contextWindow <= 0) return prepareCompaction(branch, settings, { isTooLong: reason === "overflow" });
    return prepareCompaction(branch, settings, {
      mostKept: Math.max(settings.keepRecentTokens, model.contextWindow - settings.reserveTokens),
      isTooLong: reason !== "manual" || shouldCompact(this.#meter.tokens, model.contextWindow, settings),
    });
  }

  /** The plan once these messages are hidden; undefined when there is nothing to summarise. */
  async #prepareWithout(
    reason: CompactionReason,
    hidden: readonly AgentMessage[],
  ): Promise<CompactionPreparation | undefined> {
    try {
      return await this.#prepare(reason, hidden);
    } catch (error) {
      if (error instanceof Error && error.name === "NothingToCompactError") return undefined;
      throw error;
    }
  }

  #editThatHides(message: AgentMessage): SessionEntry[] {
    const targetId = this.#core.entryIdOf(message);
    if (targetId === undefined) return [];
    const at = { id: `hides-${targetId}`, parentId: targetId, timestamp: new Date().toISOString() };
    return [{ type: "context_edit", ...at, targetId, replacement: null }];
  }

  async #compact(
    reason: CompactionReason,
    preparation: CompactionPreparation,
    customInstructions: string | undefined,
    willRetry = false,
  ): Promise<CompactionResult> {
    const { agent, sessionManager, extensions } = this.#core;
    const asked = { reason, willRetry, customInstructions };
    const { given, made } = await this.abortable(async (signal) => {
      const fromExtension = await this.#askExtensions(preparation, asked, signal);
      if (fromExtension) return { given: fromExtension, made: undefined };
      const { runCompaction } = await import("../compaction/compact.js");
      const options = { ...this.#requestOptions(signal, { source: "compaction", reason }), customInstructions };
      return { given: undefined, made: await runCompaction(preparation, options) };
    });
    const result = given ?? made;
    const { summary, firstKeptEntryId, tokensBefore = preparation.tokensBefore, details, usage } = result;
    let id: string;
    try {
      id = sessionManager.appendCompaction(
        summary,
        firstKeptEntryId,
        tokensBefore,
        details,
        given !== undefined,
        usage,
      );
    } finally {
      // Also when it could not be written: it is kept then.
      agent.state.messages = sessionManager.buildSessionContext().messages;
    }
    const { messages } = agent.state;
    const compactionEntry = sessionManager.getEntry(id);
    if (compactionEntry?.type === "compaction" && extensions.hasHandlers("session_compact")) {
      const fromExtension = given !== undefined;
      const event = { type: "session_compact", compactionEntry, fromExtension, reason, willRetry } as const;
      await extensions.emit<"session_compact">(event);
    }
    const estimatedTokensAfter = messages.reduce((sum, message) => sum + estimateTokens(message), 0);
    return { ...result, tokensBefore, estimatedTokensAfter };
  }

  /** @throws CompactionCancelledError when an extension says no */
  async #askExtensions(
    preparation: CompactionPreparation,
    asked: Pick<SessionBeforeCompactEvent, "reason" | "willRetry" | "customInstructions">,
    signal: AbortSignal,
  ): Promise<CompactionResult | undefined> {
    const { extensions, sessionManager } = this.#core;
    if (!extensions.hasHandlers("session_before_compact")) return undefined;
    const branchEntries = sessionManager.getBranch();
    const answer = await extensions.emit<"session_before_compact">({
      type: "session_before_compact",
      preparation,
      branchEntries,
      ...asked,
      signal,
    });
    if (answer?.cancel) throw new CompactionCancelledError();
    return answer?.compaction;
  }

  /** Work that `cancel()` ends, by itself or as a part of other such work. @throws CompactionCancelledError then */
  async abortable<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return this.#cancellable(async ({ signal }) => {
      try {
        signal.throwIfAborted();
        const result = await work(signal);
        signal.throwIfAborted();
        return result;
      } catch (error) {
        throw signal.aborted ? new CompactionCancelledError() : error;
      }
    });
  }

  /** Work that hears `cancel()` in its parts that are abortable; the others are done to their end. */
  async #cancellable<T>(work: (controller: AbortController) => Promise<T>): Promise<T> {
    const outer = this.#active ?? this.#manualScope;
    if (outer) return work(outer);
    const controller = new AbortController();
    this.#active = controller;
    try {
      return await work(controller);
    } finally {
      this.#active = undefined;
    }
  }

  #requestOptions(
    signal: AbortSignal,
    origin: { source: "compaction"; reason: CompactionReason } | { source: "branchSummary" },
  ): SummaryRequestOptions {
    const { model, agent, services } = this.#core;
    if (!model) throw new Error(noModelSelectedText);
    const emit = this.#core.emit.bind(this.#core);
    const callbacks: RetryCallbacks = {
      onRetryScheduled: (attempt, maxAttempts, delayMs, errorMessage) =>
        emit({ type: "summarization_retry_scheduled", attempt, maxAttempts, delayMs, errorMessage }),
      onRetryAttemptStart: () => emit({ type: "summarization_retry_attempt_start", ...origin }),
      onRetryFinished: () => emit({ type: "summarization_retry_finished" }),
    };
    const retry: RetryPolicy = services.settingsManager.getRetrySettings();
    return {
      model,
      signal,
      thinkingLevel: agent.state.thinkingLevel,
      streamFn: agent.streamFunction,
      onUnanswered: agent.onUnanswered,
      retry,
      callbacks,
    };
  }

  #lastAnswer(): AssistantMessage | undefined {
    return this.#core.agent.state.messages.findLast(
      (message): message is AssistantMessage => message.role === "assistant",
    );
  }

  /** An answer that a summary has kept says nothing about the context after it. */
  #isBeforeCompaction(answer: AssistantMessage): boolean {
    const { sessionManager } = this.#core;
    const answerId = this.#core.entryIdOf(answer);
    const seen = new Set<string>();
    for (let id = sessionManager.getLeafId(); id !== null && id !== answerId && !seen.has(id); ) {
      const entry = sessionManager.getEntry(id);
      if (entry?.type === "compaction") return true;
      // Answers of an earlier process have no known entry: theirs is the first one on the way back.
      if (answerId === undefined && entry?.type === "message" && entry.message?.role === "assistant") return false;
      seen.add(id);
      id = entry?.parentId ?? null;
    }
    return false;
  }

  #end(
    reason: CompactionReason,
    { result, willRetry = false, ...rest }: { result?: CompactionResult; willRetry?: boolean; errorMessage?: string },
  ): void {
    this.#core.emit({ type: "compaction_end", reason, result, aborted: false, willRetry, ...rest });
  }

  #failed(reason: CompactionReason, what: string, error: unknown): Error {
    const failure = error instanceof Error ? error : new Error(String(error));
    this.#core.extensions.tell<"session_compact_failed">({
      type: "session_compact_failed",
      reason,
      errorMessage: failure.message,
      aborted: failure instanceof CompactionCancelledError,
      willRetry: false,
      fromExtension: false,
    });
    if (failure instanceof CompactionCancelledError) {
      this.#core.emit({ type: "compaction_end", reason, result: undefined, aborted: true, willRetry: false });
    } else this.#end(reason, { errorMessage: `${what}: ${failure.message}` });
    return failure;
  }
}

/** Somebody ended a compaction before it was done. */
export class CompactionCancelledError extends Error {
  override name = "CompactionCancelledError";

  constructor() {
    super("Compaction cancelled");
  }
}
