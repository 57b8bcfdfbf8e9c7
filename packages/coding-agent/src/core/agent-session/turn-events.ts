import type { AgentEvent, AgentMessage } from "@earendil-works/pi-agent-core";
import { SessionUnsavedError } from "../session-store/session-errors.js";
import type { ActiveTools } from "./active-tools.js";
import type { AutoRetry } from "./auto-retry.js";
import type { EntryIds } from "./entry-ids.js";
import type { MessageQueues } from "./message-queues.js";
import type { Runs } from "./runs.js";
import type { SessionCore } from "./session-core.js";
import type { Summaries } from "./summaries.js";

export interface TurnDuties {
  entryIds: EntryIds;
  queues: MessageQueues;
  tools: ActiveTools;
  retry: AutoRetry;
  summaries: Summaries;
  runs: Runs;
}

/** What the agent tells, on its way to the listeners and into the session. Source: agent-and-tools.md section A9. */
export class TurnEvents {
  readonly #core: SessionCore;
  readonly #duties: TurnDuties;
  /** Why a message of this run is not on the disk. */
  #unsaved: SessionUnsavedError | undefined;

  constructor(core: SessionCore, duties: TurnDuties) {
    this.#core = core;
    this.#duties = duties;
    core.agent.prepareNextTurnWithContext = () => this.#prepareNextTurn();
    core.agent.prepareRequest = async () => this.#assertSaved();
    core.agent.subscribe((event) => this.#take(event));
  }

  /** What changed since the last request: context, tools with the system prompt, model, thinking level. */
  async #prepareNextTurn() {
    const { state } = this.#core.agent;
    await this.#duties.summaries.betweenTurns();
    const patch = this.#duties.tools.systemPatchIfChanged();
    return {
      context: { messages: state.messages, tools: state.tools },
      ...(patch && { messages: [patch] }),
      model: state.model,
      thinkingLevel: state.thinkingLevel,
    };
  }

  /** Waits only where something has to be waited for: a streamed token costs no promise. */
  #take(event: AgentEvent): void | Promise<void> {
    if (event.type === "agent_start") {
      this.#unsaved = undefined;
      if (this.#duties.runs.isAborting) this.#core.agent.abort();
    }
    if (event.type === "message_start") {
      const ready = this.#duties.queues.delivered(event.message);
      if (ready) return ready.then(() => this.#tell(event));
    }
    this.#tell(event);
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
