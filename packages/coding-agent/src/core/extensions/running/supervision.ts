/** How long handlers are waited for: one that is silent is named to the user, and an abort always ends the run. */

import { type unanswered, withinGrace } from "@earendil-works/pi-agent-core";

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
}

/** @returns the value of the promise, or `unanswered` when the run was aborted and it still did not come */
export async function supervised<T>(
  pending: Promise<T>,
  { signal, isPrompting, onSlow }: Supervision,
): Promise<T | typeof unanswered> {
  const watch = () => {
    if (isPrompting()) timer = setTimeout(watch, SLOW_HANDLER_MS);
    else onSlow();
  };
  let timer = setTimeout(watch, SLOW_HANDLER_MS);
  try {
    return (await withinGrace(pending, signal, ABORT_GRACE_MS)) as T | typeof unanswered;
  } finally {
    clearTimeout(timer);
  }
}
