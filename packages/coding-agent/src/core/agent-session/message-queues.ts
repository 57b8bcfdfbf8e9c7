import type { Agent, AgentMessage } from "@earendil-works/pi-agent-core";
import type { ImageContent } from "@earendil-works/pi-ai";
import type { AgentSessionEvent } from "../agent-session-events.js";
import type { PromptImages } from "./prompt-images.js";

export type QueueName = "steering" | "followUp";

interface WaitingMessage {
  text: string;
  message: AgentMessage;
  /** Settles when its images fit the model; undefined without images. */
  isFit: Promise<void> | undefined;
}

/**
 * The texts that wait for their turn, as people see them. The agent holds the messages; this says what they are and
 * tells every change. Source: protocol.md section 3.2, agent-and-tools.md section A9.
 */
export class MessageQueues {
  readonly #agent: Agent;
  readonly #images: PromptImages;
  readonly #emit: (event: AgentSessionEvent) => void;
  readonly #waiting: Record<QueueName, WaitingMessage[]> = { steering: [], followUp: [] };

  constructor(agent: Agent, images: PromptImages, emit: (event: AgentSessionEvent) => void) {
    this.#agent = agent;
    this.#images = images;
    this.#emit = emit;
  }

  /** Queues a text: the next line of a client sees it already. */
  add(queue: QueueName, text: string, images: readonly ImageContent[] = []): void {
    const message: AgentMessage = {
      role: "user",
      content: [{ type: "text", text }, ...images],
      timestamp: Date.now(),
    };
    const isFit = images.length > 0 ? this.#images.fitMessage(message) : undefined;
    this.#waiting[queue].push({ text, message, isFit });
    if (queue === "steering") this.#agent.steer(message);
    else this.#agent.followUp(message);
    this.#tell();
  }

  texts(queue: QueueName): string[] {
    return this.#waiting[queue].map(({ text }) => text);
  }

  get length(): number {
    return this.#waiting.steering.length + this.#waiting.followUp.length;
  }

  /** Empties both queues and returns their texts. */
  clear(): { steering: string[]; followUp: string[] } {
    const texts = { steering: this.texts("steering"), followUp: this.texts("followUp") };
    this.#agent.clearAllQueues();
    this.#waiting.steering = [];
    this.#waiting.followUp = [];
    this.#tell();
    return texts;
  }

  /** A message begins: when it waited here, it waits no longer. Resolves when its images are ready. */
  delivered(message: AgentMessage): Promise<void> | undefined {
    for (const queue of ["steering", "followUp"] as const) {
      const at = this.#waiting[queue].findIndex((waiting) => waiting.message === message);
      if (at < 0) continue;
      const [taken] = this.#waiting[queue].splice(at, 1);
      this.#tell();
      return taken?.isFit;
    }
    return undefined;
  }

  #tell(): void {
    this.#emit({ type: "queue_update", steering: this.texts("steering"), followUp: this.texts("followUp") });
  }
}
