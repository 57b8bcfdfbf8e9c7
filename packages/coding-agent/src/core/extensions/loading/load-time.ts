/** How long an extension may take to load: one that never ends must not hold the start for ever. */
import { SLOW_HANDLER_MS } from "../running/supervision.js";
import { waiting } from "../running/waits.js";

/** After this time an extension that has not loaded counts as one that failed, in ms. */
export const LOAD_BOUND_MS = 60_000;

/**
 * @param onSlow told what to say when it takes long
 * @throws what loading throws, and when it does not end. The timers do not keep the process: one that has nothing else to
 *   do ends at once
 */
export async function withinLoadTime<T>(
  path: string,
  loading: Promise<T>,
  onSlow: (text: string) => void = () => {},
): Promise<T> {
  const seconds = (ms: number) => `${ms / 1000} s`;
  const slow = setTimeout(
    () => onSlow(`The factory has not answered for ${seconds(SLOW_HANDLER_MS)}.`),
    SLOW_HANDLER_MS,
  );
  let late: NodeJS.Timeout | undefined;
  const bound = new Promise<never>((_resolve, reject) => {
    const fail = () => reject(new Error(`The factory has not answered for ${seconds(LOAD_BOUND_MS)}.`));
    late = setTimeout(fail, LOAD_BOUND_MS);
  });
  for (const timer of [slow, late]) timer?.unref();
  try {
    return await waiting({ extensionPath: path, what: "its factory" }, Promise.race([loading, bound]));
  } finally {
    clearTimeout(slow);
    clearTimeout(late);
  }
}
