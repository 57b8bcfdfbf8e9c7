import { AsyncLocalStorage } from "node:async_hooks";
import { type AgentMessage, unanswered, withinGrace } from "@earendil-works/pi-agent-core";
import type { ImageContent } from "@earendil-works/pi-ai";
import { parseCommand } from "../extensions/running/commands.js";
import type { InputSource } from "../extensions/types.js";
import type { CustomMessage } from "../messages.js";
import { noModelSelectedText } from "../models/no-model-text.js";
import type { ActiveTools } from "./active-tools.js";
import type { AutoRetry } from "./auto-retry.js";
import type { Boundaries } from "./boundaries.js";
import type { ExtensionHooks, RunStart } from "./extension-hooks.js";
import type { MessageQueues } from "./message-queues.js";
import type { PromptImages } from "./prompt-images.js";
import type { SessionCore } from "./session-core.js";
import { PromptAbortedError } from "./session-ended.js";
import type { Summaries } from "./summaries.js";
import { type TakenPrompt, TakenPrompts } from "./taken-prompts.js";
import type { UserBash } from "./user-bash.js";

/** What became of a prompt: a run began, it waits for its turn, or something else answered it. */
export type PromptDisposition = "started" | "queued" | "handled";

export interface PromptOptions {
  images?: ImageContent[] | undefined;
  /** What to do while a run is active; without it such a prompt is refused. */
  streamingBehavior?: "steer" | "followUp" | undefined;
  /** Run commands of extensions, expand `/skill:name` and `/template`. Default true. */
  expandPromptTemplates?: boolean | undefined;
  /** Who sends it, for extensions. Default `interactive`. */
  source?: InputSource | undefined;
  /** Told once it is clear what becomes of the prompt: before its run begins. */
  preflightResult?: ((disposition: PromptDisposition) => void) | undefined;
}

export interface QueueOptions {
  /** Who sends it, for extensions. Default `interactive`. */
  source?: InputSource | undefined;
}

/** A prompt as it is sent. */
export interface TakenInput {
  text: string;
  images: ImageContent[] | undefined;
}

export interface RunDuties {
  queues: MessageQueues;
  images: PromptImages;
  tools: ActiveTools;
  retry: AutoRetry;
  summaries: Summaries;
  bash: UserBash;
  hooks: ExtensionHooks;
  boundaries: Boundaries;
  /** Puts what waits for the end of a turn into the transcript. */
  flushTurn(): Promise<void>;
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
  /** While extensions hear it; in what they do then it has a store. */
  #tellingExtensions: AsyncLocalStorage<true> | undefined;
  /** Prompts from their sending to their end, with those that wait for their turn. */
  readonly #sent = new Set<Promise<void>>();
  /** Aborted with the run, from the acceptance of its prompt on. */
  #controller = new AbortController();
  /** Of prompts whose fate is not known yet: there is no run to abort while extensions look at them. */
  readonly #judged = new Set<() => void>();
  readonly #taken: TakenPrompts;
  /** Messages that go along with the next prompt. */
  #forNextPrompt: CustomMessage[] = [];

  constructor(core: SessionCore, duties: RunDuties) {
    this.#core = core;
    this.#duties = duties;
    this.#taken = new TakenPrompts((message) => core.entryIdOf(message) !== undefined);
  }

  /** From the acceptance of a prompt until nothing follows any more. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** Nothing follows, but extensions are still being told so. They themselves see an idle session. */
  get isSettling(): boolean {
    return this.#tellingExtensions !== undefined && !this.#isInSettledHandler;
  }

  /** What a handler of `agent_settled` waits for must not wait for the handler. */
  get #isInSettledHandler(): boolean {
    return this.#tellingExtensions?.getStore() === true;
  }

  /** Tells that the current run, or what precedes it, was aborted. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isAborting(): boolean {
    return this.#abortRequested;
  }

  /**
   * Sends a prompt. Resolves when its whole run is over, or at once when it was queued. What goes wrong in the run is
   * its last message.
   * @throws when there is no model or no key for it, while a run is active unless told how to queue, when it is aborted
   *   before its run begins, and when the session has ended
   */
  prompt(text: string, options: PromptOptions = {}): Promise<void> {
    return this.#track(this.#send(text, options));
  }

  /** Waits for the run in progress, and for all that was sent meanwhile or begins by it. */
  async waitUntilQuiet(): Promise<void> {
    while (this.#sent.size > 0) await Promise.allSettled(this.#sent);
  }

  #track(sent: Promise<void>): Promise<void> {
    const ended = sent.finally(() => this.#sent.delete(ended));
    this.#sent.add(ended);
    return ended;
  }

  async #send(text: string, options: PromptOptions): Promise<void> {
    this.#core.assertOpen();
    await this.#taken.during(text, (taken) => this.#prompt(taken, options));
  }

  /** What was sent and would be lost now: prompts that are not stored yet, and texts that wait for their turn. */
  unstoredPrompts(): string[] {
    const { queues } = this.#duties;
    return [...this.#taken.texts(), ...queues.texts("steering"), ...queues.texts("followUp")];
  }

  async #prompt(prompt: TakenPrompt, options: PromptOptions): Promise<void> {
    const { text } = prompt;
    const { expandPromptTemplates = true, streamingBehavior } = options;
    const command = expandPromptTemplates ? this.commandOf(text) : undefined;
    if (command) {
      await command();
      options.preflightResult?.("handled");
      return;
    }
    const take = () => this.take(text, options.images, options);
    const taken = this.#settling ? this.#settling.then(take) : take();
    const input = taken instanceof Promise ? await this.#unlessAborted(taken) : taken;
    if (!input) {
      options.preflightResult?.("handled");
      return;
    }
    this.#assertNoSummary();
    if (this.#isBusy) {
      if (!streamingBehavior) {
        throw new Error(
          "Agent is already processing. Specify streamingBehavior ('steer' or 'followUp') to queue the message.",
        );
      }
      this.#enqueue(streamingBehavior, input);
      options.preflightResult?.("queued");
      return;
    }
    const { images = [] } = input;
    await this.#run({ messageType: "user", prompt: input.text, images }, ([message]) => {
      prompt.message = message;
      options.preflightResult?.("started");
    });
  }

  /** @throws PromptAbortedError when an abort or the end of the session comes first; `judgement` is waited for no longer */
  async #unlessAborted<T>(judgement: Promise<T>): Promise<T> {
    let giveUp = () => {};
    const aborted = new Promise<never>((_resolve, reject) => {
      giveUp = () => reject(new PromptAbortedError());
    });
    this.#judged.add(giveUp);
    try {
      return await Promise.race([judgement, aborted]);
    } finally {
      this.#judged.delete(giveUp);
    }
  }

  /**
   * What extensions and templates make of a text; undefined when an extension has dealt with it.
   * At once while nobody listens: the next line of a client sees what became of this one.
   */
  take(
    text: string,
    images: ImageContent[] | undefined,
    options: Pick<PromptOptions, "expandPromptTemplates" | "source" | "streamingBehavior">,
  ): TakenInput | Promise<TakenInput | undefined> {
    const expand = (taken: string) => (options.expandPromptTemplates === false ? taken : this.#duties.expand(taken));
    if (!this.#core.extensions.hasHandlers("input")) return { text: expand(text), images };
    const { source = "interactive", streamingBehavior } = options;
    return this.#duties.hooks.input(text, images, source, streamingBehavior).then((result) => {
      if (result.action === "handled") return undefined;
      return result.action === "transform"
        ? { text: expand(result.text), images: result.images ?? images }
        : { text: expand(text), images };
    });
  }

  /** Queues a text, whether a run is active or not. @throws for commands of extensions: they run at once or not at all */
  async queue(
    streamingBehavior: "steer" | "followUp",
    text: string,
    images: ImageContent[],
    { source }: QueueOptions,
  ): Promise<"handled" | "queued"> {
    if (this.commandOf(text)) {
      throw new Error(
        `Extension command "${text.split(" ", 1)[0]}" cannot be queued. Use prompt() or execute the command when not streaming.`,
      );
    }
    this.#core.assertOpen();
    const taken = this.take(text, images, { source, streamingBehavior });
    const input = taken instanceof Promise ? await taken : taken;
    if (!input) return "handled";
    this.#core.assertOpen();
    this.#enqueue(streamingBehavior, input);
    return "queued";
  }

  #enqueue(behavior: "steer" | "followUp", { text, images }: TakenInput): void {
    this.#duties.queues.add(behavior === "steer" ? "steering" : "followUp", text, images);
  }

  /** Begins a run with a message of an extension. */
  promptWith(message: CustomMessage): Promise<void> {
    return this.#track(this.#promptWith(message));
  }

  async #promptWith(message: CustomMessage): Promise<void> {
    if (this.#settling) await this.#settling;
    this.#assertNoSummary();
    await this.#run({ messageType: "custom", message });
  }

  keepForNextPrompt(message: CustomMessage): void {
    this.#forNextPrompt.push(message);
  }

  /** Runs the command of an extension that the text is; undefined when it is none. */
  commandOf(text: string): (() => Promise<void>) | undefined {
    const { extensions } = this.#core;
    const parsed = parseCommand(text);
    const command = parsed && extensions.getCommand(parsed.name);
    return command && (() => extensions.runCommand(command, parsed.args));
  }

  #assertNoSummary(): void {
    if (!this.#duties.summaries.isManualActive) return;
    throw new Error("Cannot submit a prompt while compaction is in progress. Wait for compaction to finish and retry.");
  }

  /** @param onStart told the messages that the run begins with, without the system's */
  async #run(start: RunStart, onStart?: (messages: AgentMessage[]) => void): Promise<void> {
    this.#core.claim();
    await this.#whileBusy(async () => {
      try {
        const messages = await this.#prepare(start);
        onStart?.(messages.filter(({ role }) => role !== "system"));
        await this.#toEnd(() => this.#core.agent.prompt(messages));
      } finally {
        this.#duties.tools.endRunPrompt();
      }
    });
  }

  /** Goes on from the transcript, as a run of its own. */
  async continue(): Promise<void> {
    await this.#whileBusy(() => this.#toEnd(() => this.#core.agent.continue()));
  }

  /**
   * Ends the run, a pause before a retry and a summary, and waits until the session is idle. Prompts that are still judged
   * are given up; queued texts stay.
   */
  async abort(): Promise<void> {
    for (const giveUp of [...this.#judged]) giveUp();
    this.#duties.summaries.cancel();
    await this.abortRun();
    await this.#duties.summaries.waitForManual();
  }

  /** Ends the run and waits until it has ended. */
  async abortRun(): Promise<void> {
    if (this.#isBusy) {
      this.#abortRequested = true;
      this.#duties.summaries.cancelOfRun();
    }
    this.#duties.retry.cancel();
    this.#controller.abort();
    if (!this.#isBusy) this.#controller = new AbortController();
    this.#core.agent.abort();
    await this.#whenSettled();
  }

  /** Waits for the end of the run, until everybody has heard of it, and for a summary. */
  async waitForIdle(): Promise<void> {
    do {
      await this.#whenSettled();
      await this.#duties.summaries.waitForManual();
    } while (this.#isBusy);
  }

  async #whenSettled(): Promise<void> {
    await this.#idle;
    if (!this.#isInSettledHandler) await this.#settling;
  }

  /** @param work a run that has ended in order settles; one that throws never began */
  async #whileBusy(work: () => Promise<void>): Promise<void> {
    this.#isBusy = true;
    this.#abortRequested = false;
    this.#controller = new AbortController();
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
    await this.#settle(aborted);
  }

  async #prepare(start: RunStart): Promise<AgentMessage[]> {
    const { model, services } = this.#core;
    if (!model) throw new Error(noModelSelectedText);
    await this.#unlessHeld(services.modelRuntime.requireAuth(model), model.provider);
    const { agent, sessionManager } = this.#core;
    // The model is told the same now as after the next start.
    if (sessionManager.answerOpenCalls() > 0) agent.state.messages = sessionManager.buildSessionContext().messages;
    await this.#duties.summaries.beforePrompt();
    const first: AgentMessage =
      start.messageType === "custom"
        ? start.message
        : {
            role: "user",
            content: await this.#duties.images.content(start.prompt, start.images),
            timestamp: Date.now(),
          };
    const added = await this.#duties.hooks.beforeAgentStart(start);
    const patch = this.#duties.tools.systemPatch();
    this.#duties.bash.flush();
    return [...(patch ? [patch] : []), first, ...this.#forNextPrompt.splice(0), ...added];
  }

  /** A sign-in that is renewed may hang. @throws PromptAbortedError when it does and the run is aborted */
  async #unlessHeld<T>(work: Promise<T>, provider: string): Promise<T> {
    const value = await withinGrace(work, this.#controller.signal);
    if (value !== unanswered) return value;
    this.#core.agent.onUnanswered?.({ kind: "provider", name: provider });
    throw new PromptAbortedError();
  }

  /** Runs, and runs again as long as a retry, a summary or a queued message asks for it. */
  async #toEnd(start: () => Promise<void>): Promise<void> {
    await start();
    do {
      while (await this.#isMoreToDo()) await this.#core.agent.continue();
      await this.#duties.flushTurn();
    } while (await this.#isMoreWanted());
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

  /** Extensions may ask for one more request before it is over. */
  async #isMoreWanted(): Promise<boolean> {
    if (this.#abortRequested) return false;
    const last = this.#core.agent.state.messages.at(-1);
    const hasFailed = last?.role === "assistant" && last.stopReason === "error";
    const isWanted = await this.#duties.boundaries.beforeSettle(hasFailed ? "error" : "completed");
    if (!isWanted || this.#abortRequested) return false;
    await this.#core.agent.continue();
    return true;
  }

  async #settle(aborted: boolean): Promise<void> {
    let settled = () => {};
    this.#settling = new Promise((resolve) => {
      settled = resolve;
    });
    const event = { type: "agent_settled", aborted } as const;
    const { extensions } = this.#core;
    try {
      if (extensions.hasHandlers("agent_settled")) await this.#tellExtensions(event);
      this.#core.emit(event);
    } finally {
      this.#settling = undefined;
      settled();
    }
  }

  async #tellExtensions(event: { type: "agent_settled"; aborted: boolean }): Promise<void> {
    const telling = new AsyncLocalStorage<true>();
    this.#tellingExtensions = telling;
    try {
      await telling.run(true, () => this.#core.extensions.emit<"agent_settled">({ ...event }));
    } finally {
      this.#tellingExtensions = undefined;
      // What is followed costs every promise of the process.
      telling.disable();
    }
  }
}
