import type { ImageContent } from "@earendil-works/pi-ai";
import type { Args } from "./cli/args.js";
import type { Invocation } from "./cli/invocation.js";
import { StartError } from "./cli/session-selection.js";
import { killTrackedProcesses } from "./core/process/tracked-processes.js";
import { SessionInUseError } from "./core/session-store/session-errors.js";
import { printError, takeOverStdout } from "./modes/output.js";
import { runPrintMode } from "./modes/print-mode.js";
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
    const runtime = await startSession({
      ...invocation,
      mode: mode === "json" ? "json" : "print",
      say: printError,
      confirm,
      writesAtOnce: true,
    });
    if (!runtime) return 1;
    const initialMessage = unlessBlank(`${piped.text ?? ""}${text}`);
    return await runPrintMode(runtime, { mode, initialMessage, initialImages: images, messages }, output);
  } catch (error) {
    return reportStartError(error);
  }
}

/** Tells the user about a start that failed, and returns the exit code. */
export function reportStartError(error: unknown): number {
  const text = error instanceof Error ? error.message : String(error);
  const isWhole = error instanceof StartError || error instanceof SessionInUseError;
  printError(isWhole ? text : `Error: ${text}`);
  return error instanceof StartError ? error.exitCode : 1;
}

/** A message of which nothing can be seen says nothing: providers refuse it. */
export function unlessBlank(text: string): string | undefined {
  return text.trim() === "" ? undefined : text;
}

/**
 * Files and the first message are one text behind stdin, joined as they are; of the others those that say something.
 * Source: cli-and-config.md section 1.11.
 */
export async function promptOf(args: Args, cwd: string) {
  let text = "";
  let images: ImageContent[] = [];
  if (args.fileArgs.length > 0) {
    const { readFileArgs } = await import("./cli/file-args.js");
    const files = readFileArgs(args.fileArgs, cwd);
    text += files.text;
    images = files.images;
  }
  const [first, ...messages] = args.messages;
  text += first ?? "";
  return { text, images, messages: messages.filter((message) => unlessBlank(message) !== undefined) };
}
