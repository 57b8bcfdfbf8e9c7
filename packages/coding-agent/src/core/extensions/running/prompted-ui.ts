/** Dialogs tell when they begin and end, so that whoever waits knows that it is for the user. */
import type { UIPromptKind } from "../types/agent-events.js";
import type { ExtensionUIContext } from "../types/ui.js";

export interface PromptWatcher {
  /** The first dialog of several that overlap has opened. */
  onStart(kind: UIPromptKind, title: string | undefined): void;
  /** The last of them has closed. */
  onEnd(kind: UIPromptKind, title: string | undefined): void;
}

/** The same UI, with its blocking dialogs watched; overlays do not block. */
export class PromptedUI {
  readonly #watcher: PromptWatcher;
  #open = 0;

  constructor(watcher: PromptWatcher) {
    this.#watcher = watcher;
  }

  get isPrompting(): boolean {
    return this.#open > 0;
  }

  /** Members stay live: what the mode changes later is seen. */
  wrap(ui: ExtensionUIContext): ExtensionUIContext {
    const dialogs: Partial<ExtensionUIContext> = {
      select: (title, options, dialog) => this.#watch("select", title, () => ui.select(title, options, dialog)),
      confirm: (title, message, dialog) => this.#watch("confirm", title, () => ui.confirm(title, message, dialog)),
      input: (title, placeholder, dialog) => this.#watch("input", title, () => ui.input(title, placeholder, dialog)),
      editor: (title, prefill) => this.#watch("editor", title, () => ui.editor(title, prefill)),
      custom: (factory, options) => this.#watch("custom", undefined, () => ui.custom(factory, options)),
    };
    return new Proxy(ui, {
      get(target, name) {
        const own = dialogs[name as keyof ExtensionUIContext];
        if (own !== undefined) return own;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  }

  async #watch<T>(kind: UIPromptKind, title: string | undefined, ask: () => Promise<T>): Promise<T> {
    if (this.#open++ === 0) this.#watcher.onStart(kind, title);
    try {
      return await ask();
    } finally {
      if (--this.#open === 0) this.#watcher.onEnd(kind, title);
    }
  }
}
