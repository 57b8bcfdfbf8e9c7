import type { JsonAgentSessionEvent } from "./rpc-types.js";

/** Gathers events up to and including the next `agent_settled`. */
export class EventCollector {
  readonly events: Promise<JsonAgentSessionEvent[]>;
  readonly #collected: JsonAgentSessionEvent[] = [];
  #resolve: (events: JsonAgentSessionEvent[]) => void = () => {};
  #reject: (error: Error) => void = () => {};
  readonly #timer: NodeJS.Timeout;

  constructor(timeoutMs: number, timeoutError: () => Error) {
    this.events = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#timer = setTimeout(() => this.fail(timeoutError()), timeoutMs);
  }

  push(event: JsonAgentSessionEvent): void {
    this.#collected.push(event);
    if (event.type === "agent_settled") this.finish();
  }

  finish(): void {
    clearTimeout(this.#timer);
    this.#resolve(this.#collected);
  }

  fail(error: Error): void {
    clearTimeout(this.#timer);
    this.#reject(error);
  }

  /** Ends without anybody waiting for it. */
  cancel(): void {
    this.events.catch(() => {});
    this.fail(new Error("Cancelled"));
  }
}
