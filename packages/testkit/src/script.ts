import type { RecordedRequest, Responder, ScriptedTurn } from "./types.js";

/** Where the answers come from: a queue that is used up, or a responder that is asked each time. */
export class Script {
  readonly #queue: ScriptedTurn[];
  readonly #responder: Responder | undefined;

  constructor(script: readonly ScriptedTurn[] | Responder = []) {
    this.#responder = typeof script === "function" ? script : undefined;
    this.#queue = typeof script === "function" ? [] : [...script];
  }

  /** @throws {Error} when a responder answers: what it would do with queued turns is nobody's guess. */
  push(turns: readonly ScriptedTurn[]): void {
    if (this.#responder !== undefined)
      throw new Error("Turns can only be pushed to a list script, not to a responder.");
    this.#queue.push(...turns);
  }

  /** Undefined when the script is exhausted. A failing responder rejects. */
  async next(request: RecordedRequest): Promise<ScriptedTurn | undefined> {
    return this.#responder === undefined ? this.#queue.shift() : this.#responder(request);
  }

  get remaining(): number {
    return this.#queue.length;
  }
}
