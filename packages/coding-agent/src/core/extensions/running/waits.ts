/**
 * What of extensions is waited for now, in the whole process: it may run empty while something of it has not answered,
 * and then the program says what that was.
 */
export interface Wait {
  extensionPath: string;
  /** With its article: `the handler of input`. */
  what: string;
}

const waits = new Set<Wait>();

/** Waits, and lets others know that it does. */
export async function waiting<T>(wait: Wait, pending: T | PromiseLike<T>): Promise<T> {
  waits.add(wait);
  try {
    return await pending;
  } finally {
    waits.delete(wait);
  }
}

/** What has not answered yet. */
export function unansweredWaits(): readonly Wait[] {
  return [...waits];
}
