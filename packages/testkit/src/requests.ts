import type { RecordedRequest } from "./types.js";

interface Waiter {
  index: number;
  resolve(request: RecordedRequest): void;
  reject(error: Error): void;
}

/** The requests so far, and those who wait for one. */
export class RequestLog {
  readonly requests: RecordedRequest[] = [];
  readonly #waiters = new Set<Waiter>();

  add(request: Omit<RecordedRequest, "index">): RecordedRequest {
    const recorded = { index: this.requests.length, ...request };
    this.requests.push(recorded);
    for (const waiter of [...this.#waiters]) {
      if (waiter.index === recorded.index) waiter.resolve(recorded);
    }
    return recorded;
  }

  wait(index: number, timeoutMs: number): Promise<RecordedRequest> {
    const present = this.requests[index];
    if (present !== undefined) return Promise.resolve(present);
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer);
        this.#waiters.delete(waiter);
      };
      const waiter: Waiter = {
        index,
        resolve: (request) => {
          settle();
          resolve(request);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
      };
      const timer = setTimeout(
        () =>
          waiter.reject(
            new Error(
              `Request ${index} did not arrive within ${timeoutMs} ms; ${this.requests.length} arrived so far.`,
            ),
          ),
        timeoutMs,
      );
      this.#waiters.add(waiter);
    });
  }

  /** Nobody arrives any more. */
  close(): void {
    for (const waiter of [...this.#waiters]) {
      waiter.reject(new Error(`The server was closed before request ${waiter.index} arrived.`));
    }
  }
}
