/** How long handlers are waited for: one that is silent is named to the user, and an abort always ends the run. */

/** After this time a handler that has not answered is named to the user, in ms. */
export const SLOW_HANDLER_MS = 10_000;
/** How long an aborted run waits for the handler that holds it, in ms. */
export const ABORT_GRACE_MS = 300;
/** How long it waits for each one after that: a run ends within a second. */
export const LATER_GRACE_MS = 60;

export interface Supervision {
  /** Of the run in progress. */
  signal: AbortSignal | undefined;
  /** The user is being asked something: silence is no fault of the handler. */
  isPrompting(): boolean;
  onSlow(): void;
}

/** The answer of a handler that was not waited for to its end. */
export const abandoned = Symbol("abandoned");

/** When the grace of an aborted run is over. */
const graces = new WeakMap<AbortSignal, Promise<void>>();

/** @returns the value of the promise, or `abandoned` when the run was aborted and it still did not come */
export async function supervised<T>(
  pending: Promise<T>,
  { signal, isPrompting, onSlow }: Supervision,
): Promise<T | typeof abandoned> {
  const watch = () => {
    if (isPrompting()) timer = setTimeout(watch, SLOW_HANDLER_MS);
    else onSlow();
  };
  let timer = setTimeout(watch, SLOW_HANDLER_MS);
  try {
    return await (signal ? Promise.race([pending, afterAbort(signal)]) : pending);
  } finally {
    clearTimeout(timer);
  }
}

function afterAbort(signal: AbortSignal): Promise<typeof abandoned> {
  let grace = graces.get(signal);
  if (!grace) {
    grace = aborted(signal).then(() => delay(ABORT_GRACE_MS));
    graces.set(signal, grace);
  }
  // One that begins after the grace still gets a moment.
  return grace.then(() => delay(LATER_GRACE_MS)).then(() => abandoned);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
