import { type Prompt, unlessBlank } from "./cli/first-message.js";
import type { Invocation } from "./cli/invocation.js";
import type { ExtensionUIDialogOptions } from "./core/extensions/types.js";
import { killTrackedProcesses } from "./core/process/tracked-processes.js";
import { SessionManager } from "./core/session-manager.js";
import { reportCrash } from "./modes/crash/crash.js";
import { crashFile, takeCrash } from "./modes/crash/crash-store.js";
import type { Front } from "./modes/interactive/front.js";
import { InteractiveMode } from "./modes/interactive/interactive-mode.js";
import { keyText } from "./modes/interactive/keys/key-hints.js";
import { watchEndings } from "./modes/interactive/lifecycle/ending.js";
import { resolveSessionInUse } from "./modes/interactive/lifecycle/session-in-use.js";
import { catchConsole } from "./modes/interactive/lifecycle/stray-output.js";
import { harmless } from "./modes/interactive/messages/plain-text.js";
import { ask, confirm } from "./modes/interactive/selectors/ask.js";
import { chooseOption } from "./modes/interactive/selectors/choose.js";
import { selectSession } from "./modes/interactive/selectors/session-selector.js";
import { printError } from "./modes/output.js";
import { strayStartErrors } from "./modes/stray-errors.js";
import { reportStartError } from "./run-once.js";
import { type StartOptions, startSession } from "./start-session.js";
import { timed, timingReport } from "./timing.js";

/**
 * Makes the session behind the first frame and lets the user drive it. Returns the exit code.
 * @param front drawn already, unless the arguments may still turn out to be wrong
 */
export async function startInteractive(invocation: Invocation, front: Front, prompt: Prompt): Promise<number> {
  const { agentDir, cwd } = invocation;
  const notices: string[] = [];
  const leave = () => front.screen.stop();
  let show = (line: string): void => void notices.push(line);
  const stopCatching = catchConsole((text) => show(harmless(text)));
  process.on("exit", killTrackedProcesses);
  const stopWatching = watchEndings({
    end: async () => leave(),
    restore: leave,
    isOfExtension: strayStartErrors((line) => show(`Error: ${harmless(line)}`)),
    recordCrash: (error) => reportCrash(error, { agentDir, cwd, kind: "interactive" }, () => front.editor.wholeText),
  });
  front.onLeave = () => {
    leave();
    process.exit(0);
  };
  const crash = takeCrash(agentDir, Date.now());
  if (crash)
    notices.push(`Warning: pi crashed on ${crash.timestamp}: ${crash.message}. Report: ${crashFile(agentDir)}`);
  try {
    const { text, images, messages } = prompt;
    const say = (line: string) => void notices.push(line);
    const slow = (line: string) => {
      const text = harmless(line);
      front.note(`${text} ${keyText("app.clear")} leaves.`);
      say(`Warning: ${text}`);
    };
    const runtime = await startSession({ ...invocation, mode: "tui", say, slow, ...dialogs(front, cwd, say) });
    if (!runtime) {
      leave();
      for (const notice of notices) printError(notice);
      return 1;
    }
    const isBenchmark = process.env["PI_STARTUP_BENCHMARK"] === "1";
    const first = isBenchmark ? {} : { initialMessage: unlessBlank(text), initialImages: images, messages };
    const mode = new InteractiveMode(runtime, { ...first, front, notices });
    // The mode watches itself, and knows its session.
    stopWatching();
    show = (line) => mode.status(line);
    const running = mode.run();
    if (isBenchmark) {
      await mode.whenShown();
      timed("session shown");
      mode.quit();
    }
    await running;
    const report = isBenchmark ? timingReport() : undefined;
    if (report !== undefined) printError(report);
    return 0;
  } catch (error) {
    leave();
    stopCatching();
    return reportStartError(error);
  } finally {
    stopCatching();
  }
}

const noticeKinds = { warning: "Warning", error: "Error" };

/** What closes a dialog, whichever comes first. */
function withTimeout({ signal, timeout }: ExtensionUIDialogOptions = {}): { signal?: AbortSignal | undefined } {
  const late = timeout !== undefined && timeout > 0 ? [AbortSignal.timeout(timeout)] : [];
  return { signal: AbortSignal.any([...(signal ? [signal] : []), ...late]) };
}

/** What a start may have to ask, in place of the editor. */
function dialogs(
  front: Front,
  cwd: string,
  say: (line: string) => void,
): Pick<StartOptions, "confirm" | "select" | "trustUI" | "pickSession" | "sessionInUse"> {
  const { slot } = front;
  const select = (title: string, labels: string[], { signal }: { signal?: AbortSignal | undefined } = {}) =>
    chooseOption(
      slot,
      title,
      labels.map((label) => ({ value: label, label })),
      { signal },
    );
  return {
    confirm: (question) => confirm(slot, question.replace(/ \[y\/N\] $/, ""), ""),
    select,
    trustUI: {
      select: (title, labels, dialog) => select(title, labels, withTimeout(dialog)),
      confirm: (title, message, dialog) => confirm(slot, title, message, withTimeout(dialog).signal),
      input: (title, placeholder, dialog) => ask(slot, { title, placeholder, ...withTimeout(dialog) }),
      notify: (message, type = "info") => say(type === "info" ? message : `${noticeKinds[type]}: ${message}`),
    },
    pickSession: (sessionDir) =>
      selectSession({ slot, tui: front.screen.tui, cwd, sessionDir, onError: (text) => say(`Error: ${text}`) }),
    sessionInUse: async (error, sessionDir) => {
      const choice = await resolveSessionInUse(error, slot, cwd, sessionDir);
      if (!choice) return undefined;
      return SessionManager.open(choice.file, sessionDir, undefined, { readOnly: choice.readOnly });
    },
  };
}
