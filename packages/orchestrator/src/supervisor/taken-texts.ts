import type { PromptCommand } from "../store/prompt-journal.js";
import { textOf } from "../store/session-prompts.js";

/**
 * What the agent makes of prompts, read from what it says: extensions and templates change texts. A prompt that is queued
 * is the last of its queue right before the response; one that starts a run is the first message of the user after it.
 */
export class TakenTexts {
  #queueUpdate: string | undefined;
  #startedId: string | undefined;

  /** Its process is over. */
  clear(): void {
    this.#queueUpdate = undefined;
    this.#startedId = undefined;
  }

  /** A `queue_update`. */
  queues(line: string): void {
    this.#queueUpdate = line;
  }

  /** The text of the prompt that was just queued. */
  queued({ type, streamingBehavior }: PromptCommand): string | undefined {
    if (this.#queueUpdate === undefined) return undefined;
    const { steering, followUp } = JSON.parse(this.#queueUpdate) as { steering: string[]; followUp: string[] };
    return (type === "steer" || streamingBehavior === "steer" ? steering : followUp).at(-1);
  }

  started(promptId: string): void {
    this.#startedId = promptId;
  }

  /** A `message_end`: the prompt whose message that is, with its text. */
  messageEnded(line: string): { promptId: string; text: string } | undefined {
    if (this.#startedId === undefined) return undefined;
    const { message } = JSON.parse(line) as { message: Parameters<typeof textOf>[0] };
    if (message.role !== "user") return undefined;
    const promptId = this.#startedId;
    this.#startedId = undefined;
    return { promptId, text: textOf(message) };
  }
}
