import { replaceFile } from "../storage/atomic-file.js";
import { JournalFile, readJournal } from "../storage/journal-file.js";
import type { PromptRecord, PromptState } from "../types.js";

/** The command as the agent gets it. */
export interface PromptCommand {
  type: string;
  message: string;
  [field: string]: unknown;
}

/** A prompt with what is needed to find it again after a crash. */
export interface JournalledPrompt extends PromptRecord {
  /** Gone once the state is final, and so are the fields below. */
  command?: PromptCommand;
  /** When it was forwarded: the session file, how long it was, and the time. The message can only come after that. */
  file?: string;
  offset?: number;
  forwardedAt?: string;
  /** What the agent made of it, once that is known. Without `text`: it took it as it was. */
  taken?: { text?: string };
}

const finalStates: ReadonlySet<PromptState> = new Set(["handled", "delivered", "rejected", "interrupted"]);

export function isFinal({ state }: PromptRecord): boolean {
  return finalStates.has(state);
}

/** Prompts with a final state of which all is remembered; of older ones, that they were. */
const rememberedPrompts = 1000;

/** What is kept of an old prompt: id, state, time. */
type OldPrompt = [promptId: string, state: PromptState, at: string];

/** The prompts of one instance on the disk: the last record of each holds. No id is ever forgotten. */
export class PromptJournal {
  readonly #file: JournalFile;
  readonly #prompts = new Map<string, JournalledPrompt>();
  readonly #old = new Map<string, OldPrompt>();

  private constructor(path: string) {
    this.#file = new JournalFile(path);
  }

  /** Reads what there is, and writes it anew without what need not be known any more. */
  static async open(path: string): Promise<PromptJournal> {
    const journal = new PromptJournal(path);
    const records = (await readJournal(path)) as (JournalledPrompt | OldPrompt)[];
    for (const record of records) {
      if (Array.isArray(record)) journal.#old.set(record[0], record);
      else journal.#take(record);
    }
    journal.#age();
    if (records.length > 0) {
      const lines = [...journal.#old.values(), ...journal.all()].map((record) => `${JSON.stringify(record)}\n`);
      await replaceFile(path, lines.join(""));
    }
    return journal;
  }

  /** Those of which all is known: the newest, and all without a final state. */
  all(): JournalledPrompt[] {
    return [...this.#prompts.values()];
  }

  unfinished(): JournalledPrompt[] {
    return this.all().filter((prompt) => !isFinal(prompt));
  }

  get(promptId: string): JournalledPrompt | undefined {
    const old = this.#old.get(promptId);
    return old ? { promptId, state: old[1], at: old[2] } : this.#prompts.get(promptId);
  }

  /** Resolves when it is on the disk. */
  async put(change: JournalledPrompt): Promise<JournalledPrompt> {
    const isNew = !this.#prompts.has(change.promptId);
    const prompt = this.#take(change);
    this.#age();
    // What is known of it from lines before is not repeated.
    const { command: _known, ...news } = prompt;
    await this.#file.append(JSON.stringify(isNew ? prompt : news));
    return prompt;
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  #take(change: JournalledPrompt): JournalledPrompt {
    const prompt = { ...this.#prompts.get(change.promptId), ...change };
    if (isFinal(prompt)) {
      for (const field of ["command", "file", "offset", "forwardedAt", "taken"] as const) delete prompt[field];
    }
    this.#prompts.set(prompt.promptId, prompt);
    return prompt;
  }

  #age(): void {
    let surplus = this.#prompts.size - rememberedPrompts;
    for (const [id, prompt] of this.#prompts) {
      if (surplus <= 0) break;
      if (!isFinal(prompt)) continue;
      this.#prompts.delete(id);
      this.#old.set(id, [id, prompt.state, prompt.at]);
      surplus--;
    }
  }
}
