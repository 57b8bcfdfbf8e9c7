import { dialogLimit } from "../../../core/extensions/running/dialog-limit.js";
import { noUI } from "../../../core/extensions/running/no-ui.js";
import type { ExtensionUIContext, ExtensionUIDialogOptions } from "../../../core/extensions/types/ui.js";
import { harmless } from "../messages/plain-text.js";

/** Where questions are put, and lines come from. */
export interface PlainLines {
  print(text: string): void;
  /** The next line that is typed; undefined when nobody answers any more. */
  nextLine(signal: AbortSignal): Promise<string | undefined>;
}

/** `ctx.ui` in plain lines: questions are asked one by one, what only shows something is said when it is a message. */
export function plainUI(lines: PlainLines): ExtensionUIContext {
  let last: Promise<unknown> = Promise.resolve();
  const say = (text: string) => lines.print(harmless(text));
  /** Puts a question when those before it are answered. */
  const askFor = <T>(
    question: () => void,
    read: (line: string) => T | undefined,
    otherwise: T,
    { signal, timeout }: ExtensionUIDialogOptions = {},
  ): Promise<T> => {
    const asked = last.then(async () => {
      const limit = dialogLimit(timeout);
      const late = limit === undefined ? [] : [AbortSignal.timeout(limit)];
      const ended = AbortSignal.any([...(signal ? [signal] : []), ...late]);
      while (!ended.aborted) {
        question();
        const line = await lines.nextLine(ended);
        if (line === undefined) break;
        const answer = read(line.trim());
        if (answer !== undefined) return answer;
      }
      return otherwise;
    });
    last = asked;
    return asked;
  };
  const ask = (title: string, otherwise: string | undefined, dialog?: ExtensionUIDialogOptions) =>
    askFor<string | undefined>(
      () => say(title),
      (line) => line,
      otherwise,
      dialog,
    );
  return {
    ...noUI,
    notify: (message, type = "info") =>
      say(type === "info" ? message : `${type === "error" ? "Error" : "Warning"}: ${message}`),
    select: async (title, options, dialog) => {
      const question = () => {
        say(title);
        for (const [at, option] of options.entries()) say(`${at + 1}: ${option}`);
        say("Type a number, or nothing to cancel.");
      };
      const read = (line: string) => (line === "" ? { option: undefined } : chosen(line, options));
      const { option } = await askFor<{ option: string | undefined }>(question, read, { option: undefined }, dialog);
      return option;
    },
    confirm: (title, message, dialog) =>
      askFor(
        () => say(`${title}\n${message}\nType y for yes.`),
        (line) => /^y(es)?$/i.test(line),
        false,
        dialog,
      ),
    input: (title, placeholder, dialog) =>
      ask(placeholder === undefined ? title : `${title} (${placeholder})`, undefined, dialog),
    editor: (title, prefill) =>
      ask(prefill ? `${title}\n${prefill}\nType the new text, on one line.` : title, undefined),
  };
}

function chosen(line: string, options: readonly string[]): { option: string } | undefined {
  const option = options[Number(line) - 1] ?? options.find((one) => one.toLowerCase() === line.toLowerCase());
  return option === undefined ? undefined : { option };
}
