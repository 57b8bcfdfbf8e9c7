/** How long an aborted run waits for what others have written: a run ends within a second, whatever ignores its signal. */

/** From the abort on, in ms: time enough to end a process tree and to report one's own aborted result. */
export const ABORT_GRACE_MS = 700;
/** What is begun after that still gets a moment, in ms. */
const LATER_GRACE_MS = 50;

/** In the place of a value that was not waited for any more. */
export const unanswered = Symbol("unanswered");

/** When a signal was seen to be aborted, on the clock of `performance`. */
const abortTimes = new WeakMap<AbortSignal, number>();

/**
 * Waits for work that should heed a signal. What becomes of it after its grace is dropped, a failure too.
 * @param graceMs from the abort on
 * @returns its value, or `unanswered` when the signal was aborted and it still did not come
 */
export function withinGrace<T>(
  work: T | PromiseLike<T>,
  signal: AbortSignal | undefined,
  graceMs = ABORT_GRACE_MS,
): Promise<Awaited<T> | typeof unanswered> {
  const pending = Promise.resolve(work) as Promise<Awaited<T>>;
  if (!signal) return pending;
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const onAbort = () => {
      timer = setTimeout(() => resolve(unanswered), remainingGrace(signal, graceMs));
    };
    const cleanUp = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    };
    pending.then(resolve, reject).finally(cleanUp);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
}

function remainingGrace(signal: AbortSignal, graceMs: number): number {
  const now = performance.now();
  const start = abortTimes.get(signal) ?? now;
  abortTimes.set(signal, start);
  return Math.max(start + graceMs - now, LATER_GRACE_MS);
}
