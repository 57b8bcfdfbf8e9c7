import type { Component, Container, TUI } from "@earendil-works/pi-tui";
import type { DialogHost } from "./dialog-host.js";

/** The place of the editor. Dialogs take it in turn, the newest on top; the editor's text waits. */
export class EditorSlot implements DialogHost {
  #stack: Component[] = [];
  #editor: Component | undefined;

  constructor(
    private readonly place: Container,
    private readonly tui: TUI,
    /** Called before a dialog is shown: it needs a screen. */
    private readonly beforeDialog: () => void = () => {},
  ) {}

  /** Puts an editor into the slot; dialogs stay in front of it. */
  setEditor(editor: Component): void {
    this.#editor = editor;
    this.#show();
  }

  get hasDialog(): boolean {
    return this.#stack.length > 0;
  }

  /** Shows a dialog in place of the editor. Returns what closes it; closing twice does nothing. */
  open(dialog: Component): () => void {
    this.beforeDialog();
    this.#stack.push(dialog);
    this.#show();
    return () => {
      const before = this.#stack.length;
      this.#stack = this.#stack.filter((one) => one !== dialog);
      if (this.#stack.length === before) return;
      (dialog as { dispose?: () => void }).dispose?.();
      this.#show();
    };
  }

  /** Gives the focus back to what is in the slot. */
  focus(): void {
    const shown = this.#stack.at(-1) ?? this.#editor;
    this.tui.setFocus(shown ?? null);
  }

  #show(): void {
    const shown = this.#stack.at(-1) ?? this.#editor;
    this.place.clear();
    if (shown) this.place.addChild(shown);
    this.tui.setFocus(shown ?? null);
    this.tui.requestRender();
  }
}
