import type { AgentMessage } from "@earendil-works/pi-agent-core";

/** A prompt on its way to the session's file. */
export interface TakenPrompt {
  /** What somebody sent, before anything was made of it. */
  readonly text: string;
  /** What was made of it. */
  message?: AgentMessage | undefined;
}

/** Prompts that somebody has given away and that no file holds yet: what a crash would lose. */
export class TakenPrompts {
  readonly #prompts = new Set<TakenPrompt>();

  constructor(private readonly isStored: (message: AgentMessage) => boolean) {}

  /** Holds a text while `work` is under way. */
  async during(text: string, work: (prompt: TakenPrompt) => Promise<void>): Promise<void> {
    const prompt: TakenPrompt = { text };
    this.#prompts.add(prompt);
    try {
      await work(prompt);
    } finally {
      this.#prompts.delete(prompt);
    }
  }

  /** Those that would be lost, in the order they were sent. */
  texts(): string[] {
    const lost = [...this.#prompts].filter(({ message }) => message === undefined || !this.isStored(message));
    return lost.map(({ text }) => text);
  }
}
