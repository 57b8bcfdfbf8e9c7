import { promptOf, unlessBlank } from "./cli/first-message.js";
import type { Invocation } from "./cli/invocation.js";
import { killTrackedProcesses } from "./core/process/tracked-processes.js";
import { LineReader } from "./modes/interactive/plain/line-reader.js";
import { PlainMode } from "./modes/interactive/plain/plain-mode.js";
import { plainUI } from "./modes/interactive/plain/plain-ui.js";
import { printError } from "./modes/output.js";
import { reportStartError } from "./run-once.js";
import { startSession } from "./start-session.js";

/** Makes a session and lets the user drive it in plain lines. Returns the exit code. */
export async function startPlain(invocation: Invocation): Promise<number> {
  process.on("exit", killTrackedProcesses);
  try {
    const { text, images, messages } = await promptOf(invocation.args, invocation.cwd);
    const lines = new LineReader();
    const { select, confirm, input, notify } = plainUI({
      print: printError,
      nextLine: (signal) => lines.nextLine(signal),
    });
    const runtime = await startSession({
      ...invocation,
      say: printError,
      confirm: (question) => confirm(question.replace(/ \[y\/N\] $/, ""), ""),
      select,
      trustUI: { select, confirm, input, notify },
      mode: "tui",
    });
    if (!runtime) {
      lines.close();
      return 1;
    }
    const initialMessage = unlessBlank(text);
    await new PlainMode(runtime, { initialMessage, initialImages: images, messages, lines }).run();
    return 0;
  } catch (error) {
    return reportStartError(error);
  }
}
