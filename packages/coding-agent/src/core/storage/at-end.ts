/** What files need before the process ends. Nothing asynchronous happens once it is ending. */

const releases = new Set<() => void>();
const works = new Set<Promise<unknown>>();
let listensToExit = false;

/**
 * Has a lock released when the process ends by itself or by `process.exit`.
 * @param release synchronous; must not throw
 * @returns undoes it
 */
export function releaseAtEnd(release: () => void): () => void {
  if (!listensToExit) {
    listensToExit = true;
    process.on("exit", releaseLocks);
  }
  releases.add(release);
  return () => releases.delete(release);
}

/** Releases all locks of this process: the last thing before it dies by a signal, which calls no exit handlers. */
export function releaseLocks(): void {
  for (const release of releases) release();
  releases.clear();
}

/** Changes of files that have begun count as work until they have ended. */
export function trackFileWork<T>(work: Promise<T>): Promise<T> {
  works.add(work);
  const end = (): void => void works.delete(work);
  work.then(end, end);
  return work;
}

/** Resolves when no change of a file is under way: a renewed token that is not stored is lost for good. */
export async function fileWorkDone(): Promise<void> {
  while (works.size > 0) await Promise.allSettled(works);
}
