/** How long handlers are waited for: one that is silent is named to the user, and an abort always ends the run. */

import { unanswered, withinGrace } from "@earendil-works/pi-agent-core";

/** After this time a handler that has not answered is named to the user, in ms. */
export const SLOW_HANDLER_MS = 10_000;
/** How long an aborted run waits for the handler that holds it, in ms. */
export const ABORT_GRACE_MS = 300;

export interface Supervision {
  /** Of the run in progress. */
  signal: AbortSignal | undefined;
  /** The user is being asked something: silence is no fault of the handler. */
  isPrompting(): boolean;
  onSlow(): void;
  /** One that is named is not waited for any more. */
  givesUp?: boolean | undefined;
}

/** @returns the value of the promise, or `unanswered` when it did not come and is not waited for any more */
export async function supervised<T>(
  pending: Promise<T>,
  { signal, isPrompting, onSlow, givesUp }: Supervision,
): Promise<T | typeof unanswered> {
  const watch = () => {
    if (isPrompting()) timer = setTimeout(watch, SLOW_HANDLER_MS);
    else {
      onSlow();
      giveUp();
    }
  };
  let giveUp = () => {};
  const isOver = new Promise<typeof unanswered>((resolve) => {
    if (givesUp) giveUp = () => resolve(unanswered);
  });
  let timer = setTimeout(watch, SLOW_HANDLER_MS);
  try {
    const waited: Promise<T | typeof unanswered> = givesUp ? Promise.race([pending, isOver]) : pending;
    return (await withinGrace<T | typeof unanswered>(waited, signal, ABORT_GRACE_MS)) as T | typeof unanswered;
  } finally {
    clearTimeout(timer);
  }
}
