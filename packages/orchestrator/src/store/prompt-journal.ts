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
  /** Gone once the state is final. */
  command?: PromptCommand;
  /** The session file when it was forwarded, and how long it was: the message can only come after that. */
  file?: string;
  offset?: number;
}

const finalStates: ReadonlySet<PromptState> = new Set(["handled", "delivered", "rejected", "interrupted"]);

export function isFinal({ state }: PromptRecord): boolean {
  return finalStates.has(state);
}

/** Prompts with a final state that are remembered, so that sending one again is noticed. */
const rememberedPrompts = 1000;

/** The prompts of one instance on the disk: the last record of each holds. */
export class PromptJournal {
  readonly #file: JournalFile;
  readonly #prompts = new Map<string, JournalledPrompt>();

  private constructor(path: string) {
    this.#file = new JournalFile(path);
  }

  /** Reads what there is, and writes it anew without what need not be known any more. */
  static async open(path: string): Promise<PromptJournal> {
    const journal = new PromptJournal(path);
    const records = (await readJournal(path)) as JournalledPrompt[];
    for (const record of records) journal.#take(record);
    journal.#forget();
    if (records.length > 0) {
      const lines = journal.all().map((record) => `${JSON.stringify(record)}\n`);
      await replaceFile(path, lines.join(""));
    }
    return journal;
  }

  all(): JournalledPrompt[] {
    return [...this.#prompts.values()];
  }

  unfinished(): JournalledPrompt[] {
    return this.all().filter((prompt) => !isFinal(prompt));
  }

  get(promptId: string): JournalledPrompt | undefined {
    return this.#prompts.get(promptId);
  }

  /** Resolves when it is on the disk. */
  async put(change: JournalledPrompt): Promise<JournalledPrompt> {
    const isNew = !this.#prompts.has(change.promptId);
    const prompt = this.#take(change);
    this.#forget();
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
      delete prompt.command;
      delete prompt.file;
      delete prompt.offset;
    }
    this.#prompts.set(prompt.promptId, prompt);
    return prompt;
  }

  #forget(): void {
    let surplus = this.#prompts.size - rememberedPrompts;
    for (const [id, prompt] of this.#prompts) {
      if (surplus <= 0) break;
      if (!isFinal(prompt)) continue;
      this.#prompts.delete(id);
      surplus--;
    }
  }
}
