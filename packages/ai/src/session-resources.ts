/** Frees what an API keeps for a session; without an id, for all sessions. */
export type SessionResourceCleanup = (sessionId?: string) => void;

// Global by contract: APIs keep connections per session, and hosts end sessions without knowing which API served them.
const cleanups = new Set<SessionResourceCleanup>();

/** Adds a cleanup; the result removes it again. */
export function registerSessionResourceCleanup(cleanup: SessionResourceCleanup): () => void {
  cleanups.add(cleanup);
  return () => {
    cleanups.delete(cleanup);
  };
}

/**
 * Frees what is kept for a session, or for all of them. All cleanups run, whatever one of them throws.
 * @throws the error of a cleanup, or an AggregateError of several
 */
export function cleanupSessionResources(sessionId?: string): void {
  const errors: unknown[] = [];
  for (const cleanup of cleanups) {
    try {
      cleanup(sessionId);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new AggregateError(errors, "Several session resources could not be freed");
}
