/** Longest chain of causes that is followed. */
const MAX_CAUSES = 10;

/** `base`, followed by what the innermost cause of the error says: `Connection error.: connect ECONNREFUSED …`. */
export function withDeepestCause(base: string, error: unknown): string {
  const cause = deepestCause(error);
  const text = cause === undefined ? "" : causeText(cause);
  return text === "" || base.includes(text) ? base : `${base}: ${text}`;
}

/** The message of a thrown value, with its innermost cause. */
export function thrownText(error: unknown): string {
  return withDeepestCause(error instanceof Error ? error.message : String(error), error);
}

function deepestCause(error: unknown): Error | undefined {
  let cause: Error | undefined;
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error; depth++) {
    const next: unknown = current instanceof AggregateError ? (current.cause ?? current.errors.at(-1)) : current.cause;
    if (!(next instanceof Error)) break;
    cause = next;
    current = next;
  }
  return cause;
}

function causeText(cause: Error): string {
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : undefined;
  const message = cause.message || cause.name;
  return code === undefined || message.includes(code) ? message : `${message} (${code})`;
}
