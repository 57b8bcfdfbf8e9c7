import { setMaxListeners } from "node:events";
import { dialogLimit } from "../../../core/extensions/running/dialog-limit.js";
import type { ExtensionUIDialogOptions } from "../../../core/extensions/types/ui.js";
import { type Desk, errorText } from "../desk.js";
import { editExternally } from "../input/external-editor.js";
import { ask } from "../selectors/ask.js";
import { choose, optionRow } from "../selectors/choose.js";
import { currentTheme } from "../theme/current.js";
import { EditorDialog } from "./editor-dialog.js";

/** The dialogs of extensions, in place of the editor; they stack, and the newest is shown. */
export class ExtensionDialogs {
  readonly #all = new AbortController();

  constructor(private readonly desk: Desk) {
    // Each open dialog listens, and there may be any number.
    setMaxListeners(0, this.#all.signal);
  }

  async select(title: string, options: readonly string[], dialog: ExtensionUIDialogOptions = {}) {
    return this.#limited(dialog, async (signal, left) => {
      const [first = "", ...rest] = title.split("\n");
      const chosen = await choose(this.desk.slot, {
        items: options.map((label) => ({ value: label, label })),
        title: () => [currentTheme().style(first + left(), { fg: "accent", bold: true }), ...rest].join("\n"),
        row: optionRow,
        signal,
      });
      return chosen?.value;
    });
  }

  async confirm(title: string, message: string, dialog: ExtensionUIDialogOptions = {}): Promise<boolean> {
    return (await this.select(`${title}\n${message}`, ["Yes", "No"], dialog)) === "Yes";
  }

  async input(title: string, placeholder: string | undefined, dialog: ExtensionUIDialogOptions = {}) {
    return this.#limited(dialog, (signal, left) =>
      ask(this.desk.slot, { title: () => title + left(), placeholder, signal }),
    );
  }

  /** Takes components of extensions from the screen too. */
  get ended(): AbortSignal {
    return this.#all.signal;
  }

  editor(title: string, prefill = ""): Promise<string | undefined> {
    const { slot, tui, screen, session, keybindings } = this.desk;
    return new Promise((resolve) => {
      const finish = (text: string | undefined) => {
        close();
        resolve(text);
      };
      const command = session.settingsManager.getExternalEditorCommand();
      const onError = (error: unknown) => this.desk.error(errorText(error));
      const dialog = new EditorDialog({
        title,
        prefill,
        tui,
        keybindings,
        editExternally: (text) => editExternally(text, command, screen),
        finish,
        onError,
      });
      const close = slot.open(dialog);
      this.#all.signal.addEventListener("abort", close, { once: true });
    });
  }

  /** Takes all of them away. Who waits for an answer belongs to a session that is over, and gets none. */
  close(): void {
    this.#all.abort();
  }

  /** Ends a dialog by its signal or its time; `left` is what the title says about the time. */
  async #limited<Answer>(
    { signal, timeout }: ExtensionUIDialogOptions,
    open: (signal: AbortSignal, left: () => string) => Promise<Answer>,
  ): Promise<Answer> {
    const signals = [this.#all.signal, ...(signal ? [signal] : [])];
    const limit = dialogLimit(timeout);
    if (limit === undefined) return this.#unlessEnded(open(AbortSignal.any(signals), () => ""));
    const end = Date.now() + limit;
    const clock = setInterval(() => this.desk.tui.requestRender(), 1000);
    this.#all.signal.addEventListener("abort", () => clearInterval(clock), { once: true });
    try {
      const left = () => ` (${Math.max(0, Math.ceil((end - Date.now()) / 1000))}s)`;
      return await this.#unlessEnded(open(AbortSignal.any([...signals, AbortSignal.timeout(limit)]), left));
    } finally {
      clearInterval(clock);
    }
  }

  async #unlessEnded<Answer>(answer: Promise<Answer>): Promise<Answer> {
    const given = await answer;
    return this.#all.signal.aborted ? new Promise<Answer>(() => {}) : given;
  }
}
