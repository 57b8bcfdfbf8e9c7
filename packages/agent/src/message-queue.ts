import type { AgentMessage, QueueMode } from "./types.js";

/** Messages that wait for a good moment of the run: steering or follow-up. */
export class MessageQueue {
  mode: QueueMode;
  #messages: AgentMessage[] = [];

  constructor(mode: QueueMode) {
    this.mode = mode;
  }

  get isEmpty(): boolean {
    return this.#messages.length === 0;
  }

  add(message: AgentMessage): void {
    this.#messages.push(message);
  }

  /** What the next drain would give. */
  peek(): AgentMessage[] {
    return this.mode === "all" ? [...this.#messages] : this.#messages.slice(0, 1);
  }

  /** Takes the messages of one turn. */
  drain(): AgentMessage[] {
    const taken = this.peek();
    this.#messages = this.#messages.slice(taken.length);
    return taken;
  }

  clear(): void {
    this.#messages = [];
  }
}
