import type { AgentEvent, AgentMessage, AgentTurnContext, AgentTurnDecision } from "@earendil-works/pi-agent-core";
import type { CustomMessage } from "../messages.js";
import { SessionUnsavedError } from "../session-store/session-errors.js";
import type { ActiveTools } from "./active-tools.js";
import type { AutoRetry } from "./auto-retry.js";
import type { Boundaries } from "./boundaries.js";
import type { EntryIds } from "./entry-ids.js";
import type { MessageQueues } from "./message-queues.js";
import type { NestedTools } from "./nested-tools.js";
import type { Runs } from "./runs.js";
import type { SessionCore } from "./session-core.js";
import type { Summaries } from "./summaries.js";

export interface TurnDuties {
  entryIds: EntryIds;
  queues: MessageQueues;
  tools: ActiveTools;
  retry: AutoRetry;
  summaries: Summaries;
  boundaries: Boundaries;
  nested: NestedTools;
  runs: Runs;
}

/**
 * What the agent tells, on its way to the extensions, to the listeners and into the session, in this order: extensions
 * may still change a message. Source: agent-and-tools.md section A9, extensions.md section 6.
 */
export class TurnEvents {
  readonly #core: SessionCore;
  readonly #duties: TurnDuties;
  #turnIndex = 0;
  /** Messages that wait for the end of the turn: nothing may come between a call and its result. */
  #held: CustomMessage[] = [];
  /** Messages of the current run: one that breaks off in the middle knows only its failure. */
  #ofRun: AgentMessage[] = [];
  /** Why a message of this run is not on the disk. */
  #unsaved: SessionUnsavedError | undefined;

  constructor(core: SessionCore, duties: TurnDuties) {
    this.#core = core;
    this.#duties = duties;
    core.agent.prepareNextTurnWithContext = () => this.#prepareNextTurn();
    core.agent.finishTurn = (turn) => this.#finishTurn(turn);
    core.agent.prepareRequest = async () => this.#assertSaved();
    core.agent.subscribe((event) => this.#take(event));
  }

  /** Puts a message into the transcript of an idle session. */
  async append(message: AgentMessage): Promise<void> {
    await this.#take({ type: "message_start", message });
    this.#core.agent.state.messages.push(message);
    await this.#take({ type: "message_end", message });
  }

  appendAfterTurn(message: CustomMessage): void {
    this.#held.push(message);
  }

  /** Puts what waited for the end of the turn into the transcript. */
  async flush(): Promise<void> {
    for (const message of this.#held.splice(0)) await this.append(message);
  }

  /** What changed since the last request: context, tools with the system prompt, model, thinking level. */
  async #prepareNextTurn() {
    const { state } = this.#core.agent;
    await this.flush();
    await this.#duties.summaries.betweenTurns();
    const patch = this.#duties.tools.systemPatchIfChanged();
    return {
      context: { messages: state.messages, tools: state.tools },
      ...(patch && { messages: [patch] }),
      model: state.model,
      thinkingLevel: state.thinkingLevel,
    };
  }

  /** The turn is stored by now; extensions may add to it and ask for one more request. */
  async #finishTurn({ message, toolResults }: AgentTurnContext): Promise<AgentTurnDecision | undefined> {
    const { entryIds, boundaries } = this.#duties;
    if (!this.#core.extensions.hasHandlers("turn_end")) return undefined;
    const wantsMore = await boundaries.turnEnd({
      turnIndex: this.#turnIndex,
      message,
      toolResults,
      messageEntryId: entryIds.of(message),
      toolResultEntryIds: toolResults.map((result) => entryIds.of(result)),
    });
    return wantsMore ? { action: "continue" } : undefined;
  }

  /** Waits only where something has to be waited for: a streamed token costs no promise. */
  #take(event: AgentEvent): void | Promise<void> {
    if (event.type === "agent_start") {
      this.#turnIndex = -1;
      this.#ofRun = [];
      this.#unsaved = undefined;
      this.#duties.nested.clear();
      if (this.#duties.runs.isAborting) this.#core.agent.abort();
    }
    if (event.type === "turn_start") this.#turnIndex++;
    if (event.type === "message_end") this.#ofRun.push(event.message);
    if (event.type === "agent_end" && event.messages.length === 1 && event.messages[0] === this.#ofRun.at(-1)) {
      event.messages = this.#ofRun;
    }
    if (event.type === "message_start" && event.message.role === "toolResult") this.#duties.nested.addTo(event.message);
    const ready = event.type === "message_start" ? this.#duties.queues.delivered(event.message) : undefined;
    // `turn_end` was told when the turn was finished, so that it could be added to.
    const isHeard = event.type !== "turn_end" && this.#core.extensions.hasHandlers(event.type);
    if (ready || isHeard) return this.#takeSlowly(event, ready, isHeard);
    this.#tell(event);
  }

  async #takeSlowly(event: AgentEvent, ready: Promise<void> | undefined, isHeard: boolean): Promise<void> {
    await ready;
    if (isHeard) await this.#tellExtensions(event);
    this.#tell(event);
  }

  async #tellExtensions(event: AgentEvent): Promise<void> {
    const { extensions } = this.#core;
    switch (event.type) {
      case "turn_start":
        await extensions.emit<"turn_start">({ ...event, turnIndex: this.#turnIndex, timestamp: Date.now() });
        return;
      case "message_end": {
        const heard = { type: "message_end" as const, message: event.message };
        await extensions.emit<"message_end">(heard);
        if (heard.message !== event.message) replaceInPlace(event.message, heard.message);
        return;
      }
      default:
        // The same event, as it is told to listeners.
        await extensions.emit({ ...event } as never);
    }
  }

  #tell(event: AgentEvent): void {
    this.#core.emit(event.type === "agent_end" ? { ...event, willRetry: this.#willRetry() } : event);
    if (event.type !== "message_end") return;
    this.#persist(event.message);
    this.#duties.summaries.noteProgress(event.message);
    if (event.message.role === "assistant" && event.message.stopReason !== "error") this.#duties.retry.succeeded();
  }

  #willRetry(): boolean {
    return !this.#duties.runs.isAborting && this.#duties.retry.isDue(this.#core.agent.state.messages.at(-1));
  }

  /** The model is not asked about what is not stored. @throws SessionUnsavedError */
  #assertSaved(): undefined {
    const unsaved = this.#unsaved;
    this.#unsaved = undefined;
    if (unsaved) throw unsaved;
  }

  /** The messages that come with this one shall be kept as well: the run ends when the next request is due. */
  #keepGoing(append: () => void): void {
    try {
      append();
    } catch (error) {
      if (!(error instanceof SessionUnsavedError)) throw error;
      this.#unsaved = error;
    }
  }

  /** Roles with an entry kind of their own are stored where they arise. */
  #persist(message: AgentMessage): void {
    const { sessionManager } = this.#core;
    const { entryIds } = this.#duties;
    const store = (append: () => string) => entryIds.set(message, append());
    switch (message.role) {
      case "assistant":
        store(() => sessionManager.appendMessage(message));
        return;
      case "system":
      case "user":
      case "toolResult":
        this.#keepGoing(() => store(() => sessionManager.appendMessage(message)));
        return;
      case "custom": {
        const { customType, content, display, details } = message;
        this.#keepGoing(() =>
          store(() => sessionManager.appendCustomMessageEntry(customType, content, display, details)),
        );
        return;
      }
      case "bashExecution":
      case "branchSummary":
      case "compactionSummary":
        return;
    }
  }
}

/** Everybody who holds the message sees the other one in its place: the run, its tool calls, the transcript. */
function replaceInPlace(message: AgentMessage, other: AgentMessage): void {
  for (const key of Object.keys(message)) delete (message as unknown as Record<string, unknown>)[key];
  Object.assign(message, other);
}
