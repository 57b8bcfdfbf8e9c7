import { emptyUsage } from "./models/cost.js";
import type { AssistantMessage, AssistantMessageEvent } from "./types.js";

/**
 * An ordered, unbounded queue of events that ends with one result.
 *
 * One consumer iterates; a second iterator would share the events with the first. `result()` never rejects: failures
 * are results too. Source: llm.md section 3.
 */
export class EventStream<T, R = T> implements AsyncIterable<T> {
  /** Events nobody has taken yet. `head` avoids shifting the array for each of them. */
  #queue: T[] = [];
  #head = 0;
  #waiting: ((result: IteratorResult<T>) => void)[] = [];
  #done = false;
  readonly #result: Promise<R>;
  #resolveResult!: (result: R) => void;
  readonly #isComplete: (event: T) => boolean;
  readonly #extractResult: (event: T) => R;

  /**
   * @param isComplete tells the event after which nothing follows
   * @param extractResult makes the result from that event
   */
  constructor(isComplete: (event: T) => boolean, extractResult: (event: T) => R) {
    this.#isComplete = isComplete;
    this.#extractResult = extractResult;
    this.#result = new Promise((resolve) => {
      this.#resolveResult = resolve;
    });
  }

  /** Adds an event; ignored after completion. */
  push(event: T): void {
    if (this.#done) return;
    if (this.#isComplete(event)) {
      this.#done = true;
      this.#resolveResult(this.#extractResult(event));
    }
    const waiter = this.#waiting.shift();
    if (waiter) waiter({ value: event, done: false });
    else this.#queue.push(event);
    if (this.#done) this.#releaseWaiting();
  }

  /** Ends the stream. Without a completing event, `result()` stays pending unless a result is given here. */
  end(result?: R): void {
    if (result !== undefined) this.#resolveResult(result);
    this.#done = true;
    this.#releaseWaiting();
  }

  /** The final result. */
  result(): Promise<R> {
    return this.#result;
  }

  [Symbol.asyncIterator](): AsyncIterator<T> {
    return { next: () => this.#next() };
  }

  #next(): Promise<IteratorResult<T>> {
    if (this.#head < this.#queue.length) {
      const value = this.#queue[this.#head] as T;
      this.#head++;
      if (this.#head === this.#queue.length) {
        this.#queue = [];
        this.#head = 0;
      } else if (this.#head >= 1024 && this.#head * 2 > this.#queue.length) {
        this.#queue = this.#queue.slice(this.#head);
        this.#head = 0;
      }
      return Promise.resolve({ value, done: false });
    }
    if (this.#done) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #releaseWaiting(): void {
    for (const waiter of this.#waiting.splice(0)) waiter({ value: undefined, done: true });
  }
}

/** The events of one answer; the result is its final message, also after a failure. */
export class AssistantMessageEventStream extends EventStream<AssistantMessageEvent, AssistantMessage> {
  readonly #startedAt = performance.now();
  readonly #startedAtEpoch = Date.now();

  constructor() {
    super(
      (event) => event.type === "done" || event.type === "error",
      (event) => {
        if (event.type === "done") return event.message;
        if (event.type === "error") return event.error;
        throw new Error("Unexpected event type for final result");
      },
    );
  }

  /** The message so far: what is left of an answer when its producer goes wrong. */
  #partial: AssistantMessage | undefined;

  /**
   * Stamps `durationMs` on the final message, unless it is set or the message is older than this stream. What is no event
   * ends the stream with an `error` event: whoever waits for the answer would wait for ever.
   */
  override push(given: AssistantMessageEvent): void {
    const fault = eventFault(given);
    const event = fault === undefined ? given : brokenOff(this.#partial, fault);
    if (event.type !== "done" && event.type !== "error") this.#partial = event.partial;
    const final = event.type === "done" ? event.message : event.type === "error" ? event.error : undefined;
    if (final && final.durationMs === undefined && final.timestamp >= this.#startedAtEpoch) {
      final.durationMs = Math.round(performance.now() - this.#startedAt);
    }
    super.push(event);
  }
}

/** Only what the stream itself reads: this runs once per token. */
function eventFault(event: unknown): string | undefined {
  if (typeof event !== "object" || event === null) return `${String(event)} instead of an event`;
  const { type } = event as { type?: unknown };
  if (typeof type !== "string") return "an event without a type";
  const member = type === "done" ? "message" : type === "error" ? "error" : "partial";
  const message = (event as Record<string, unknown>)[member];
  return typeof message === "object" && message !== null ? undefined : `an event "${type}" without "${member}"`;
}

function brokenOff(partial: AssistantMessage | undefined, fault: string): AssistantMessageEvent {
  const errorMessage = `The stream of the provider gave ${fault}.`;
  const blank = { api: "unknown", provider: "unknown", model: "unknown", usage: emptyUsage(), timestamp: Date.now() };
  const message = partial ?? { role: "assistant", content: [], ...blank };
  return { type: "error", reason: "error", error: { ...message, stopReason: "error", errorMessage } };
}

export function createAssistantMessageEventStream(): AssistantMessageEventStream {
  return new AssistantMessageEventStream();
}
