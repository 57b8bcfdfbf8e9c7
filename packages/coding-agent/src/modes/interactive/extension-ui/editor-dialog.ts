import {
  type Component,
  Editor,
  type Focusable,
  type KeybindingsManager,
  type TUI,
  wrapTextWithAnsi,
} from "@earendil-works/pi-tui";
import { keyText, rawKeyHint } from "../keys/key-hints.js";
import { getEditorTheme } from "../theme/component-themes.js";
import { currentTheme } from "../theme/current.js";

export interface EditorDialogOptions {
  title: string;
  prefill: string;
  tui: TUI;
  keybindings: KeybindingsManager;
  /** Lets the user change the text in their own editor; undefined when that failed. */
  editExternally?: ((text: string) => Promise<string | undefined>) | undefined;
  finish: (text: string | undefined) => void;
  onError?: (error: unknown) => void;
}

/** A text of several lines that an extension asks for. */
export class EditorDialog implements Component, Focusable {
  readonly #editor: Editor;

  constructor(private readonly options: EditorDialogOptions) {
    this.#editor = new Editor(options.tui, getEditorTheme());
    this.#editor.setText(options.prefill);
    this.#editor.onSubmit = (text) => options.finish(text);
  }

  get focused(): boolean {
    return this.#editor.focused;
  }

  set focused(focused: boolean) {
    this.#editor.focused = focused;
  }

  invalidate(): void {
    this.#editor.invalidate();
  }

  render(width: number): readonly string[] {
    const title = wrapTextWithAnsi(currentTheme().style(this.options.title, { fg: "accent", bold: true }), width);
    const hints = [
      rawKeyHint(keyText("tui.input.submit"), "submit"),
      rawKeyHint(keyText("tui.input.newLine"), "new line"),
      ...(this.options.editExternally ? [rawKeyHint(keyText("app.editor.external"), "your editor")] : []),
      rawKeyHint(keyText("tui.select.cancel"), "cancel"),
    ].join("  ");
    return [...title, ...this.#editor.render(width), ...wrapTextWithAnsi(` ${hints}`, width)];
  }

  handleInput(data: string): void {
    const { keybindings, finish, editExternally, onError } = this.options;
    if (editExternally && keybindings.matches(data, "app.editor.external")) {
      editExternally(this.#editor.getExpandedText()).then((text) => {
        if (text !== undefined) this.#editor.setText(text);
      }, onError);
    } else if (keybindings.matches(data, "tui.select.cancel") && !this.#editor.isShowingAutocomplete())
      finish(undefined);
    else this.#editor.handleInput(data);
  }
}
