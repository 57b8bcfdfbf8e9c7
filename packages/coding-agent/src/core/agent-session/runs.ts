import type { AgentMessage } from "@earendil-works/pi-agent-core";
import type { ImageContent } from "@earendil-works/pi-ai";
import { noModelText } from "../models/no-model-text.js";
import type { ActiveTools } from "./active-tools.js";
import type { AutoRetry } from "./auto-retry.js";
import type { MessageQueues } from "./message-queues.js";
import type { PromptImages } from "./prompt-images.js";
import type { SessionCore } from "./session-core.js";
import type { Summaries } from "./summaries.js";
import type { UserBash } from "./user-bash.js";

/** What became of a prompt: a run began, it waits for its turn, or something else answered it. */
export type PromptDisposition = "started" | "queued" | "handled";

export interface PromptOptions {
  images?: ImageContent[] | undefined;
  /** What to do while a run is active; without it such a prompt is refused. */
  streamingBehavior?: "steer" | "followUp" | undefined;
  /** Expand `/skill:name` and `/template`. Default true. */
  expandPromptTemplates?: boolean | undefined;
  /** Told once it is clear what becomes of the prompt: before its run begins. */
  preflightResult?: ((disposition: PromptDisposition) => void) | undefined;
}

export interface RunDuties {
  queues: MessageQueues;
  images: PromptImages;
  tools: ActiveTools;
  retry: AutoRetry;
  summaries: Summaries;
  bash: UserBash;
  /** Turns `/skill:name` and templates into their text. */
  expand(text: string): string;
}

/** The prompts of a session: one run at a time, from its acceptance until nothing follows by itself. */
export class Runs {
  readonly #core: SessionCore;
  readonly #duties: RunDuties;
  #isBusy = false;
  #abortRequested = false;
  /** Settles when the current run has. */
  #idle: Promise<void> = Promise.resolve();
  /** While listeners hear `agent_settled`: prompts they send begin after the last of them has. */
  #settling: Promise<void> | undefined;

  constructor(core: SessionCore, duties: RunDuties) {
    this.#core = core;
    this.#duties = duties;
  }

  /** From the acceptance of a prompt until `agent_settled`. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  get isAborting(): boolean {
    return this.#abortRequested;
  }

  /**
   * Sends a prompt. Resolves when its whole run is over, or at once when it was queued. What goes wrong in the run is
   * its last message.
   * @throws when there is no model or no key for it, and while a run is active unless told how to queue
   */
  async prompt(text: string, options: PromptOptions = {}): Promise<void> {
    if (this.#settling) await this.#settling;
    const { queues, summaries } = this.#duties;
    if (summaries.isManualActive) {
      throw new Error(
        "Cannot submit a prompt while compaction is in progress. Wait for compaction to finish and retry.",
      );
    }
    const expanded = options.expandPromptTemplates === false ? text : this.#duties.expand(text);
    if (this.#isBusy) {
      if (!options.streamingBehavior) {
        throw new Error(
          "Agent is already processing. Specify streamingBehavior ('steer' or 'followUp') to queue the message.",
        );
      }
      queues.add(options.streamingBehavior === "steer" ? "steering" : "followUp", expanded, options.images);
      options.preflightResult?.("queued");
      return;
    }
    await this.#whileBusy(async () => {
      const messages = await this.#prepare(expanded, options.images ?? []);
      options.preflightResult?.("started");
      await this.#toEnd(() => this.#core.agent.prompt(messages));
    });
  }

  /** Goes on from the transcript, as a run of its own. */
  async continue(): Promise<void> {
    await this.#whileBusy(() => this.#toEnd(() => this.#core.agent.continue()));
  }

  /** Ends the run, a pause before a retry and a summary, and waits until the session is idle. Queued texts stay. */
  async abort(): Promise<void> {
    this.#duties.summaries.cancel();
    await this.abortRun();
    await this.#duties.summaries.waitForManual();
  }

  /** Ends the run and waits until it has ended. */
  async abortRun(): Promise<void> {
    if (this.#isBusy) {
      this.#abortRequested = true;
      this.#duties.summaries.cancel();
    }
    this.#duties.retry.cancel();
    this.#core.agent.abort();
    await this.#idle;
  }

  async waitForIdle(): Promise<void> {
    await this.#idle;
    await this.#duties.summaries.waitForManual();
  }

  /** @param work a run that has ended in order settles; one that throws never began */
  async #whileBusy(work: () => Promise<void>): Promise<void> {
    this.#isBusy = true;
    this.#abortRequested = false;
    let becomeIdle = () => {};
    this.#idle = new Promise((resolve) => {
      becomeIdle = resolve;
    });
    let aborted: boolean | undefined;
    try {
      await work();
      aborted = this.#abortRequested;
    } finally {
      this.#isBusy = false;
      this.#abortRequested = false;
      becomeIdle();
    }
    this.#settle(aborted);
  }

  async #prepare(text: string, images: readonly ImageContent[]): Promise<AgentMessage[]> {
    const { model, services } = this.#core;
    if (!model) throw new Error(noModelText);
    await services.modelRuntime.requireAuth(model);
    await this.#duties.summaries.beforePrompt();
    const content = await this.#duties.images.content(text, images);
    const user: AgentMessage = { role: "user", content, timestamp: Date.now() };
    const patch = this.#duties.tools.systemPatch();
    this.#duties.bash.flush();
    return patch ? [patch, user] : [user];
  }

  /** Runs, and runs again as long as a retry, a summary or a queued message asks for it. */
  async #toEnd(start: () => Promise<void>): Promise<void> {
    await start();
    while (await this.#isMoreToDo()) await this.#core.agent.continue();
    this.#duties.bash.flush();
    // Who hears that nothing follows may cut the power.
    this.#core.sessionManager.sync();
  }

  async #isMoreToDo(): Promise<boolean> {
    const { retry, summaries } = this.#duties;
    const { agent } = this.#core;
    if (this.#abortRequested) return false;
    if (await retry.afterRun(agent.state.messages.at(-1))) return !this.#abortRequested;
    if (this.#abortRequested) return false;
    const wantsAnswer = await summaries.afterRun();
    if (this.#abortRequested) return false;
    return wantsAnswer || agent.hasQueuedMessages();
  }

  #settle(aborted: boolean): void {
    let settled = () => {};
    this.#settling = new Promise((resolve) => {
      settled = resolve;
    });
    try {
      this.#core.emit({ type: "agent_settled", aborted });
    } finally {
      this.#settling = undefined;
      settled();
    }
  }
}
