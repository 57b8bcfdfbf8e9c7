import { CancellableLoader, Container, Loader, Text, type TUI } from "@earendil-works/pi-tui";
import type { Theme } from "../../../core/extensions/types/theme.js";
import { keyHint } from "../keys/key-hints.js";
import { DynamicBorder } from "./dynamic-border.js";

/** A spinner between two rules, for extensions that make the user wait. */
export class BorderedLoader extends Container {
  readonly #loader: Loader;
  readonly #never = new AbortController();

  constructor(tui: TUI, theme: Theme, message: string, { cancellable = true }: { cancellable?: boolean } = {}) {
    super();
    const fg = (token: "accent" | "muted") => (text: string) => theme.fg(token, text);
    this.#loader = cancellable
      ? new CancellableLoader(tui, fg("accent"), fg("muted"), message)
      : new Loader(tui, fg("accent"), fg("muted"), message);
    const rule = () => new DynamicBorder((text) => theme.fg("border", text));
    this.addChild(rule());
    this.addChild(this.#loader);
    if (cancellable) this.addChild(new Text(keyHint("tui.select.cancel", "cancel"), 1, 0));
    this.addChild(rule());
  }

  /** Aborted when the user cancels. */
  get signal(): AbortSignal {
    return this.#loader instanceof CancellableLoader ? this.#loader.signal : this.#never.signal;
  }

  set onAbort(callback: (() => void) | undefined) {
    if (this.#loader instanceof CancellableLoader) this.#loader.onAbort = () => callback?.();
  }

  handleInput(data: string): void {
    if (this.#loader instanceof CancellableLoader) this.#loader.handleInput(data);
  }

  dispose(): void {
    this.#loader.stop();
  }
}
