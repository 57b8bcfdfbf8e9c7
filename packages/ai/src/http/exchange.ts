import { HttpAbortError, HttpConnectionError } from "./errors.js";

/** Timers cannot run longer; a limit this high means "none". */
const MAX_TIMER_MS = 2_147_483_647;

/** One attempt: ties the caller's signal and the time limits to one abort, and to whatever is being waited for. */
export class Exchange {
  readonly #controller = new AbortController();
  readonly #callerSignal: AbortSignal | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failure: Error | undefined;
  #rejectWait: ((error: Error) => void) | undefined;

  constructor(callerSignal: AbortSignal | undefined) {
    this.#callerSignal = callerSignal;
    if (callerSignal?.aborted) this.#onCallerAbort();
    else callerSignal?.addEventListener("abort", this.#onCallerAbort);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  readonly #onCallerAbort = (): void => this.#interrupt(new HttpAbortError());

  /** Starts a limit, in place of the one before. */
  limit(ms: number | undefined, message: (ms: number) => string): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (ms === undefined || ms <= 0 || ms >= MAX_TIMER_MS) return;
    this.#timer = setTimeout(() => this.#interrupt(new HttpConnectionError("timeout", message(ms))), ms);
  }

  /** Starts the current limit anew. */
  extend(): void {
    this.#timer?.refresh();
  }

  /**
   * The promise's outcome, or a rejection as soon as the exchange is interrupted: also when a fetch function does not
   * heed its signal. Without `Promise.race`, whose losers would pile up on a long-lived promise.
   */
  wait<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#failure) {
        reject(this.#failure);
        promise.catch(() => undefined);
        return;
      }
      this.#rejectWait = reject;
      promise.then(
        (value) => {
          this.#rejectWait = undefined;
          resolve(value);
        },
        (error: unknown) => reject(this.#failure ?? error),
      );
    });
  }

  /** Ends limits and listening; the connection stays. */
  settle(): void {
    clearTimeout(this.#timer);
    this.#callerSignal?.removeEventListener("abort", this.#onCallerAbort);
  }

  /** Ends everything, the connection included. */
  close(): void {
    this.settle();
    this.#controller.abort();
  }

  #interrupt(failure: Error): void {
    if (this.#failure) return;
    this.#failure = failure;
    this.#rejectWait?.(failure);
    this.#controller.abort(failure);
  }
}
