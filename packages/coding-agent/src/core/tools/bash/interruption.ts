import { BashTimeoutError } from "../../process/local-bash-operations.js";
import type { BashToolDetails } from "./details.js";

/**
 * A command that was ended: by an abort, its timeout, or a signal nobody knows. The call still rejects, as wrappers
 * expect; `details` lets the agent loop keep what is known of the output.
 */
export class BashCommandError extends Error {
  constructor(
    message: string,
    readonly details: BashToolDetails | undefined,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
  }
}

/** The status line of a command that its operations ended; undefined for other failures. */
export function interruptionOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.message === "aborted") return "Command aborted";
  const timeout = /^timeout:(.+)$/.exec(error.message);
  if (!timeout) return undefined;
  const status = `Command timed out after ${timeout[1]} seconds`;
  const shell = error instanceof BashTimeoutError ? error.shell : undefined;
  if (!shell) return status;
  return `${status}. The shell exited with code ${shell.exitCode} after ${shell.seconds.toFixed(1)} seconds, but background processes it started kept writing output until the timeout.`;
}
