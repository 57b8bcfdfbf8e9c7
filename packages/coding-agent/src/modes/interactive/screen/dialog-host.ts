import { type Component, Container, type Focusable } from "@earendil-works/pi-tui";

/** Where dialogs are shown, the newest on top. */
export interface DialogHost {
  /** Shows a dialog. Returns what closes it; closing twice does nothing. */
  open: (dialog: Component) => () => void;
}

/** A component that shows its own dialogs in its place, for lists that stand outside of the interactive mode. */
export class DialogStack extends Container implements DialogHost, Focusable {
  #stack: Component[] = [];
  #focused = false;

  get focused(): boolean {
    return this.#focused;
  }

  set focused(focused: boolean) {
    this.#focused = focused;
    this.#show();
  }

  open(dialog: Component): () => void {
    this.#stack.push(dialog);
    this.#show();
    return () => {
      this.#stack = this.#stack.filter((one) => one !== dialog);
      this.#show();
    };
  }

  handleInput(data: string): void {
    this.#stack.at(-1)?.handleInput?.(data);
  }

  #show(): void {
    this.clear();
    const shown = this.#stack.at(-1);
    if (!shown) return;
    this.addChild(shown);
    if ("focused" in shown) shown.focused = this.#focused;
  }
}
