import { constants } from "node:os";
import { describeAssistantError, type ImageContent } from "@earendil-works/pi-ai";
import type { AgentSession } from "../core/agent-session.js";
import type { AgentSessionRuntime } from "../core/agent-session-runtime.js";
import { noModelSelectedText, noModelText } from "../core/models/no-model-text.js";
import { killTrackedProcesses } from "../core/process/tracked-processes.js";
import type { SessionDiagnostic } from "../core/session-store/session-file-options.js";
import { fileWorkDone, releaseLocks } from "../core/storage/at-end.js";
import { JsonEventWriter } from "./json-event.js";
import { type ProtocolOutput, printError, takeOverStdout } from "./output.js";
import { printDiagnostic, reportSessionDiagnostics } from "./session-diagnostics.js";
import { catchStrayErrors } from "./stray-errors.js";

/** How long a signal waits for the session to end in order, in ms. */
const disposeGraceMs = 5000;

/** The system's words when the session cannot be written: the model has nothing to do with it. */
const SESSION_FILE_ERROR =
  /^(?:Session file |Session is |ENOSPC|EDQUOT|EACCES|EPERM|EROFS|EIO|EMFILE|ENOTDIR|EISDIR|ENOENT)\b/;
const SESSION_FILE_ADVICE =
  "The session could not be written. Make room or allow writing there, or choose another place with --session-dir, or none with --no-session.";

export interface PrintModeOptions {
  /** `text`: the last answer; `json`: every event, one per line. */
  mode: "text" | "json";
  initialMessage?: string | undefined;
  initialImages?: ImageContent[] | undefined;
  /** Further prompts, each run to its end before the next. */
  messages?: string[] | undefined;
}

/**
 * Answers and ends. Returns the exit code: in text mode 1 when the last answer failed, was aborted or was cut; in JSON
 * mode 1 only when a prompt could not be started. Source: cli-and-config.md section 2.
 *
 * @param given where answers go; default stdout, which is the caller's again afterwards
 */
export async function runPrintMode(
  runtime: AgentSessionRuntime,
  options: PrintModeOptions,
  given?: ProtocolOutput,
): Promise<number> {
  if (given) return answer(runtime, options, given);
  const output = takeOverStdout(killTrackedProcesses);
  try {
    return await answer(runtime, options, output);
  } finally {
    output.release();
  }
}

async function answer(
  runtime: AgentSessionRuntime,
  options: PrintModeOptions,
  output: ProtocolOutput,
): Promise<number> {
  const stopHandlingSignals = handleSignals(runtime);
  const stopCatching = catchStrayErrors(runtime, options.mode === "json" ? "json" : "print");
  // An answer that could not be stored says so itself.
  const held: SessionDiagnostic[] = [];
  const show = (diagnostic: SessionDiagnostic) => {
    if (options.mode === "text" && SESSION_FILE_ERROR.test(diagnostic.message)) held.push(diagnostic);
    else printDiagnostic(diagnostic);
  };
  const bind = async (session: AgentSession) => {
    if (options.mode === "json") writeEvents(session, output);
    reportSessionDiagnostics(session, show);
    await session.bindExtensions({
      mode: options.mode === "json" ? "json" : "print",
      commandContextActions: runtime.commandContextActions(),
      onError: ({ extensionPath, error }) => printError(`Extension error (${extensionPath}): ${error}`),
    });
  };
  let exitCode = 0;
  try {
    await bind(runtime.session);
    // Commands of extensions may put another session in its place.
    runtime.setRebindSession(bind);
    if (options.initialMessage !== undefined || options.initialImages?.length) {
      await runtime.session.prompt(options.initialMessage ?? "", { images: options.initialImages });
    }
    for (const message of options.messages ?? []) {
      await untilQuiet(runtime);
      await runtime.session.prompt(message);
    }
    await untilQuiet(runtime);
    if (options.mode === "text") exitCode = printLastAnswer(runtime, output);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    // Nothing was there to select from.
    printError(text === noModelSelectedText ? noModelText : text);
    exitCode = 1;
  }
  const last = runtime.session.messages.at(-1);
  const said = last?.role === "assistant" ? last.errorMessage : undefined;
  for (const diagnostic of held) if (diagnostic.message !== said) printDiagnostic(diagnostic);
  await runtime.dispose();
  await output.drain();
  stopCatching();
  stopHandlingSignals();
  return exitCode;
}

/** What extensions began is part of the answer, also in a session that they put in the place of another. */
async function untilQuiet(runtime: AgentSessionRuntime): Promise<void> {
  let session: AgentSession;
  do {
    session = runtime.session;
    await session.waitUntilQuiet();
  } while (session !== runtime.session);
}

function writeEvents(session: AgentSession, output: ProtocolOutput): void {
  output.write(`${JSON.stringify(session.sessionManager.getHeader())}\n`);
  const events = new JsonEventWriter();
  session.subscribe((event) => output.write(events.line(event)));
  // The loop waits for the reader: one who stops reading stalls the run instead of filling memory.
  session.agent.subscribe(() => output.ready());
}

/** Only the last message counts: earlier answers of several prompts are never printed. */
function printLastAnswer({ session }: AgentSessionRuntime, output: ProtocolOutput): number {
  const last = session.messages.at(-1);
  if (last?.role !== "assistant") return 0;
  if (last.stopReason === "error" || last.stopReason === "aborted") {
    // The provider's own words come first, as programs expect them; who said so and what helps follows.
    const isOwnFile = SESSION_FILE_ERROR.test(last.errorMessage ?? "");
    printError(
      isOwnFile
        ? `${last.errorMessage}\n${SESSION_FILE_ADVICE}`
        : describeAssistantError(last) || last.errorMessage || "Request aborted",
    );
    return 1;
  }
  for (const block of last.content) if (block.type === "text") output.write(`${block.text}\n`);
  if (last.stopReason !== "length") return 0;
  printError("Response was truncated: the model reached its output token limit.");
  return 1;
}

/**
 * SIGTERM and SIGHUP end the session in order; a second signal ends at once. SIGINT (Ctrl+C) kills running commands and
 * then this process by the same signal, so that the caller's shell sees an interrupt. Returns a function that undoes it.
 */
function handleSignals(runtime: AgentSessionRuntime): () => void {
  let ending = false;
  const end = (signal: NodeJS.Signals) => {
    const code = 128 + constants.signals[signal];
    if (ending) process.exit(code);
    ending = true;
    killTrackedProcesses();
    // A tool that does not heed its signal must not keep the process.
    const grace = new Promise((resolve) => setTimeout(resolve, disposeGraceMs));
    Promise.race([runtime.dispose().then(fileWorkDone), grace]).finally(() => process.exit(code));
  };
  const interrupt = () => {
    killTrackedProcesses();
    releaseLocks();
    process.removeListener("SIGINT", interrupt);
    process.kill(process.pid, "SIGINT");
  };
  const signals: NodeJS.Signals[] = process.platform === "win32" ? ["SIGTERM"] : ["SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, end);
  process.on("SIGINT", interrupt);
  return () => {
    for (const signal of signals) process.removeListener(signal, end);
    process.removeListener("SIGINT", interrupt);
  };
}
