import { promptOf, unlessBlank } from "./cli/first-message.js";
import type { Invocation } from "./cli/invocation.js";
import { StartError } from "./cli/start-error.js";
import { killTrackedProcesses } from "./core/process/tracked-processes.js";
import { SessionInUseError } from "./core/session-store/session-errors.js";
import { TrustStoreError } from "./core/trust/trust-store.js";
import { printError, takeOverStdout } from "./modes/output.js";
import { runPrintMode } from "./modes/print-mode.js";
import { catchStartErrors, catchStrayErrors } from "./modes/stray-errors.js";
import { startSession } from "./start-session.js";

export interface RunOnceOptions {
  invocation: Invocation;
  /** Piped input, trimmed. */
  stdin: string | undefined;
  mode: "text" | "json";
}

/** Prepares a session from the command line and runs print or JSON mode on it. Returns the exit code. */
export async function runOnce({ invocation, stdin, mode }: RunOnceOptions): Promise<number> {
  const output = takeOverStdout(killTrackedProcesses);
  try {
    // A file that cannot be read is said before a session is made.
    const { text, images, messages } = await promptOf(invocation.args, invocation.cwd);
    const piped = { text: stdin };
    const confirm = async (question: string) => (await import("./cli/confirm.js")).confirm(question, printError, piped);
    const kind = mode === "json" ? "json" : "print";
    const stopCatching = catchStartErrors(invocation, kind);
    const runtime = await startSession({
      ...invocation,
      mode: kind,
      say: printError,
      confirm,
      writesAtOnce: true,
    });
    if (!runtime) return 1;
    stopCatching();
    const initialMessage = unlessBlank(`${piped.text ?? ""}${text}`);
    const code = await runPrintMode(runtime, { mode, initialMessage, initialImages: images, messages }, output);
    // Timers of extensions may go off while the process ends.
    catchStrayErrors(runtime, kind);
    return code;
  } catch (error) {
    return reportStartError(error);
  }
}

/** Tells the user about a start that failed, and returns the exit code. */
export function reportStartError(error: unknown): number {
  const text = error instanceof Error ? error.message : String(error);
  const isWhole = error instanceof StartError || error instanceof SessionInUseError;
  printError(isWhole ? text : `Error: ${text}`);
  if (error instanceof TrustStoreError) printError(error.advice);
  return error instanceof StartError ? error.exitCode : 1;
}
