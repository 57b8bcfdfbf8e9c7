import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { AgentUnreachableError, type RpcProcess } from "../rpc-process.js";
import { isFinal, type JournalledPrompt, type PromptCommand, type PromptJournal } from "../store/prompt-journal.js";
import { matchPrompts, userEntriesFrom } from "../store/session-prompts.js";
import type { PromptRecord } from "../types.js";

export interface PromptsOptions {
  journal: PromptJournal;
  /** Where the agent writes its session now. */
  sessionFile: () => string | undefined;
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
   * As `accept`, and resolves with the agent's response line.
   * @throws AgentUnreachableError when the agent ends before; the prompt's state says what became of it
   */
  async ask(command: PromptCommand): Promise<string> {
    const promptId = randomUUID();
    const response = new Promise<string>((resolve, reject) => this.#waiters.set(promptId, { resolve, reject }));
    response.catch(() => {});
    await this.accept(command, promptId);
    return response;
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
    if (prompt && !isFinal(prompt)) {
      const { success, data, error } = JSON.parse(line) as {
        success: boolean;
        data?: { disposition?: "started" | "queued" | "handled" };
        error?: string;
      };
      const change = success
        ? { state: data?.disposition ?? ("started" as const) }
        : { state: "rejected" as const, ...(error !== undefined && { error }) };
      void this.#queue(() => this.#change({ ...prompt, ...change }));
    }
    this.#waiters.get(promptId)?.resolve(line);
    this.#waiters.delete(promptId);
    return true;
  }

  /** Looks which prompts have come into the session. `settled`: a run is over, so everything that was started has. */
  confirm(settled: boolean): Promise<void> {
    return this.#queue(async () => {
      const sought = this.#passedOn();
      if (sought.length === 0) return;
      const found = await this.#find(sought);
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
      const found = await this.#find(sought);
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

  /** The agent has ended: what it was given is in the session, or it will never be. Returns the latter's ids. */
  ended(): Promise<string[]> {
    this.#process = undefined;
    const interrupted: string[] = [];
    return this.#queue(async () => {
      const sought = this.#passedOn();
      const found = await this.#find(sought);
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
        const file = this.#options.sessionFile();
        const offset = file === undefined ? 0 : await sizeOf(file);
        const forwarded = { ...prompt, state: "forwarded" as const, offset, ...(file !== undefined && { file }) };
        await this.#change(forwarded);
        // The agent may have ended meanwhile: the look into the session that follows finds nothing, and says so.
        this.#send(forwarded);
      }
    });
  }

  #send({ promptId, command }: JournalledPrompt): void {
    this.#process?.sendOnce(promptId, JSON.stringify({ ...command, id: `${responsePrefix}${promptId}` }));
  }

  async #find(prompts: readonly JournalledPrompt[]): Promise<Map<string, string>> {
    const taken = new Set(this.#options.journal.all().map(({ entryId }) => entryId));
    const found = new Map<string, string>();
    for (const file of new Set(prompts.map((prompt) => prompt.file))) {
      if (file === undefined) continue;
      const ofFile = prompts.filter((prompt) => prompt.file === file);
      const entries = await userEntriesFrom(file, Math.min(...ofFile.map(({ offset = 0 }) => offset)));
      const free = entries.filter(({ entryId }) => !taken.has(entryId));
      const sought = ofFile.map(({ promptId, command }) => ({ promptId, message: command?.message ?? "" }));
      for (const [promptId, entryId] of matchPrompts(sought, free)) found.set(promptId, entryId);
    }
    return found;
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
