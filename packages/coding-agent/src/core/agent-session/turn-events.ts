import type { AgentEvent, AgentMessage } from "@earendil-works/pi-agent-core";
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

  constructor(core: SessionCore, duties: TurnDuties) {
    this.#core = core;
    this.#duties = duties;
    core.agent.prepareNextTurnWithContext = () => this.#prepareNextTurn();
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
    if (event.type === "agent_start" && this.#duties.runs.isAborting) this.#core.agent.abort();
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

  /** Roles with an entry kind of their own are stored where they arise. */
  #persist(message: AgentMessage): void {
    const { sessionManager } = this.#core;
    const { entryIds } = this.#duties;
    switch (message.role) {
      case "system":
      case "user":
      case "assistant":
      case "toolResult":
        entryIds.set(message, sessionManager.appendMessage(message));
        return;
      case "custom": {
        const { customType, content, display, details } = message;
        entryIds.set(message, sessionManager.appendCustomMessageEntry(customType, content, display, details));
        return;
      }
      case "bashExecution":
      case "branchSummary":
      case "compactionSummary":
        return;
    }
  }
}
