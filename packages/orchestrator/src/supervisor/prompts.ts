import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { AgentUnreachableError, type RpcProcess } from "../rpc-process.js";
import { findPrompts } from "../store/find-prompts.js";
import { isFinal, type JournalledPrompt, type PromptCommand, type PromptJournal } from "../store/prompt-journal.js";
import type { PromptRecord } from "../types.js";
import { TakenTexts } from "./taken-texts.js";

export interface PromptsOptions {
  journal: PromptJournal;
  /** Where the agent writes its session, as far as that is known. */
  sessionFile: () => string | undefined;
  /** Asks it: extensions change the session when they like. @throws when it ends before it answers */
  askSession: () => Promise<unknown>;
  onChange: (prompt: PromptRecord) => void;
}

/** Ids in responses begin so: any supervisor knows what they answer. */
const responsePrefix = "p_";

/**
 * The prompts of one instance: on the disk before they are acknowledged, passed on in order and once, and followed until
 * they are in the session. What is not there when the agent ends is `interrupted`.
 */
export class Prompts {
  readonly #options: PromptsOptions;
  readonly #texts = new TakenTexts();
  #process: RpcProcess | undefined;
  readonly #waiters = new Map<string, { resolve(line: string): void; reject(error: Error): void }>();
  /** Changes and forwards happen one after the other. */
  #work: Promise<unknown> = Promise.resolve();

  constructor(options: PromptsOptions) {
    this.#options = options;
  }

  /** Takes a prompt. Resolves when it is on the disk; one whose id is known is not taken again. */
  async accept(command: PromptCommand, promptId: string = randomUUID()): Promise<PromptRecord> {
    const { journal } = this.#options;
    const known = journal.get(promptId);
    if (known) return summary(known);
    const prompt = await journal.put({ promptId, state: "accepted", at: new Date().toISOString(), command });
    this.#options.onChange(summary(prompt));
    void this.#forwardWaiting();
    return summary(prompt);
  }

  /**
   * As `accept`, and tells the agent's response line: an AgentUnreachableError when the agent ends before; the prompt's
   * state says what became of it.
   */
  async ask(command: PromptCommand): Promise<{ response: Promise<string> }> {
    const promptId = randomUUID();
    const response = new Promise<string>((resolve, reject) => this.#waiters.set(promptId, { resolve, reject }));
    response.catch(() => {});
    await this.accept(command, promptId);
    return { response };
  }

  list(): PromptRecord[] {
    return this.#options.journal.all().map(summary);
  }

  get hasUnfinished(): boolean {
    return this.#options.journal.unfinished().length > 0;
  }

  /**
   * The agent takes prompts from now on.
   * @param once ids its holder has passed on already
   */
  online(process: RpcProcess, once: readonly string[]): Promise<void> {
    this.#process = process;
    return this.#queue(async () => {
      const passedOn = new Set(once);
      for (const prompt of this.#options.journal.unfinished()) {
        if (prompt.state === "forwarded" && !passedOn.has(prompt.promptId)) this.#send(prompt);
      }
    }).then(() => this.#forwardWaiting());
  }

  /** A response of the agent, if it answers a prompt. */
  takeResponse(line: string, id: string): boolean {
    const text: unknown = JSON.parse(id);
    if (typeof text !== "string" || !text.startsWith(responsePrefix)) return false;
    const promptId = text.slice(responsePrefix.length);
    const prompt = this.#options.journal.get(promptId);
    if (prompt && !isFinal(prompt)) void this.#noteResponse(prompt, JSON.parse(line) as PromptResponse);
    this.#waiters.get(promptId)?.resolve(line);
    this.#waiters.delete(promptId);
    return true;
  }

  /** A `queue_update` or `message_end` of the agent. */
  takeEvent(type: string, line: string): void {
    if (type === "queue_update") this.#texts.queues(line);
    const started = type === "message_end" ? this.#texts.messageEnded(line) : undefined;
    if (started) void this.#queue(() => this.#noteText(started.promptId, started.text));
  }

  /** Looks which prompts have come into the session. `settled`: a run is over, so everything that was started has. */
  confirm(settled: boolean): Promise<void> {
    return this.#queue(async () => {
      const sought = this.#passedOn();
      if (sought.length === 0) return;
      const found = await this.#find(sought, true);
      for (const prompt of sought) {
        const entryId = found.get(prompt.promptId);
        if (entryId !== undefined) await this.#change({ ...prompt, state: "delivered", entryId });
        else if (settled && prompt.state === "started") await this.#change({ ...prompt, state: "delivered" });
      }
    });
  }

  /** The agent has thrown its queue away. */
  queueCleared(): Promise<void> {
    return this.#queue(async () => {
      const sought = this.#passedOn().filter(({ state }) => state === "queued");
      const found = await this.#find(sought, true);
      for (const prompt of sought) {
        const entryId = found.get(prompt.promptId);
        await this.#change(
          entryId === undefined
            ? { ...prompt, state: "interrupted", error: "Taken out of the queue." }
            : { ...prompt, state: "delivered", entryId },
        );
      }
    });
  }

  /**
   * The agent has ended: what it was given is in a session, or it will never be. Returns the latter's ids.
   * @param isComplete whether all it said is known
   */
  ended(isComplete: boolean): Promise<string[]> {
    this.#process = undefined;
    const interrupted: string[] = [];
    return this.#queue(async () => {
      const sought = this.#passedOn();
      this.#texts.clear();
      const found = await this.#find(sought, isComplete);
      for (const prompt of sought) {
        const entryId = found.get(prompt.promptId);
        if (entryId !== undefined) await this.#change({ ...prompt, state: "delivered", entryId });
        else {
          interrupted.push(prompt.promptId);
          await this.#change({
            ...prompt,
            state: "interrupted",
            error: "The agent ended before it was in the session.",
          });
        }
        this.#refuse(prompt.promptId);
      }
      return interrupted;
    });
  }

  /** No agent will come: nothing that waits will ever be passed on. Returns the ids. */
  abandon(reason: string): Promise<string[]> {
    return this.#queue(async () => {
      const waiting = this.#options.journal.unfinished();
      for (const prompt of waiting) {
        await this.#change({ ...prompt, state: "interrupted", error: reason });
        this.#refuse(prompt.promptId);
      }
      return waiting.map(({ promptId }) => promptId);
    });
  }

  async close(): Promise<void> {
    await this.#work;
    await this.#options.journal.close();
  }

  #refuse(promptId: string): void {
    const error = new AgentUnreachableError(
      `The agent ended before it answered. Prompt ${promptId} tells what became of it.`,
    );
    this.#waiters.get(promptId)?.reject(error);
    this.#waiters.delete(promptId);
  }

  #passedOn(): JournalledPrompt[] {
    return this.#options.journal.unfinished().filter(({ state }) => state !== "accepted");
  }

  #forwardWaiting(): Promise<void> {
    return this.#queue(async () => {
      for (const prompt of this.#options.journal.unfinished()) {
        if (prompt.state !== "accepted" || !this.#process) continue;
        const process = this.#process;
        try {
          await this.#options.askSession();
        } catch {
          // It ends, and the next process gets the prompt.
          return;
        }
        if (this.#process !== process) return;
        const file = this.#options.sessionFile();
        const offset = file === undefined ? 0 : await sizeOf(file);
        const forwardedAt = new Date().toISOString();
        const where = { offset, forwardedAt, ...(file !== undefined && { file }) };
        const forwarded = { ...prompt, state: "forwarded" as const, ...where };
        await this.#change(forwarded);
        // The agent may have ended meanwhile: the look into the session that follows finds nothing, and says so.
        this.#send(forwarded);
      }
    });
  }

  #send({ promptId, command }: JournalledPrompt): void {
    this.#process?.sendOnce(promptId, JSON.stringify({ ...command, id: `${responsePrefix}${promptId}` }));
  }

  /** In the order of the agent's records: the text is known from what it said before. */
  #noteResponse({ promptId, command }: JournalledPrompt, { success, data, error }: PromptResponse): Promise<void> {
    const disposition = data?.disposition ?? "started";
    if (success && disposition === "started") this.#texts.started(promptId);
    const text = success && disposition === "queued" && command ? this.#texts.queued(command) : undefined;
    const change = success
      ? { state: disposition }
      : { state: "rejected" as const, ...(error !== undefined && { error }) };
    return this.#queue(async () => {
      const prompt = this.#options.journal.get(promptId);
      if (prompt) await this.#change({ ...prompt, ...change });
      if (text !== undefined) await this.#noteText(promptId, text);
    });
  }

  async #noteText(promptId: string, text: string): Promise<void> {
    const { journal } = this.#options;
    const prompt = journal.get(promptId);
    if (!prompt || isFinal(prompt) || prompt.taken) return;
    await journal.put({ ...prompt, taken: text === prompt.command?.message ? {} : { text } });
  }

  #find(prompts: readonly JournalledPrompt[], isComplete: boolean): Promise<Map<string, string>> {
    const taken = new Set(this.#options.journal.all().flatMap(({ entryId }) => entryId ?? []));
    return findPrompts(prompts, { sessionFile: this.#options.sessionFile(), taken, isComplete });
  }

  async #change(prompt: JournalledPrompt): Promise<void> {
    const known = this.#options.journal.get(prompt.promptId);
    if (known && isFinal(known)) return;
    this.#options.onChange(summary(await this.#options.journal.put({ ...prompt, at: new Date().toISOString() })));
  }

  #queue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#work.then(work);
    this.#work = result.catch(() => {});
    return result;
  }
}

interface PromptResponse {
  success: boolean;
  data?: { disposition?: "started" | "queued" | "handled" };
  error?: string;
}

function summary({ promptId, state, at, entryId, error }: JournalledPrompt): PromptRecord {
  return { promptId, state, at, ...(entryId !== undefined && { entryId }), ...(error !== undefined && { error }) };
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
}
