/** What no search program takes, or would answer with as much text again. Pure. */

/** Bytes. Programs take arguments of less than 128 KiB. */
const MAX_PATTERN = 64 * 1024;
/** UTF-16 units of a message: those on patterns repeat them. */
const MAX_MESSAGE = 2000;

/** @throws Error `Pattern is too long: <n> bytes, at most 65536` */
export function checkPattern(pattern: string): void {
  const length = Buffer.byteLength(pattern);
  if (length > MAX_PATTERN) throw new Error(`Pattern is too long: ${length} bytes, at most ${MAX_PATTERN}`);
}

/** The same error, without the middle of a very long message. */
export function withShortMessage(error: unknown): unknown {
  if (!(error instanceof Error) || error.message.length <= MAX_MESSAGE) return error;
  const half = MAX_MESSAGE / 2;
  return new Error(`${error.message.slice(0, half)} [...] ${error.message.slice(-half)}`, { cause: error });
}
