const MESSAGE = "Operation aborted";

/** Throws `Operation aborted` once the signal is aborted. Called after each await of a tool that changes files. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new Error(MESSAGE);
}

/**
 * Rejects with `Operation aborted` as soon as the signal is aborted; the work itself is left to finish.
 * Only for work that holds no lock and changes nothing.
 */
export function rejectOnAbort<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    if (signal?.aborted) {
      reject(new Error(MESSAGE));
      return;
    }
    const onAbort = () => reject(new Error(MESSAGE));
    signal?.addEventListener("abort", onAbort, { once: true });
    work()
      .then(resolve, reject)
      .finally(() => signal?.removeEventListener("abort", onAbort));
  });
}
