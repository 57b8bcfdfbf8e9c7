/** The user, at the other end of the wire. Source: protocol.md section 7. */
import { randomUUID } from "node:crypto";
import { dialogLimit } from "../../core/extensions/running/dialog-limit.js";
import { noUI } from "../../core/extensions/running/no-ui.js";
import type { ExtensionUIContext, ExtensionUIDialogOptions } from "../../core/extensions/types.js";
import type { RpcExtensionUIRequest } from "./rpc-types.js";
import { wellFormed } from "./ui-fields.js";

type Answer = Record<string, unknown>;
type Dialog = Extract<RpcExtensionUIRequest, { method: "select" | "confirm" | "input" | "editor" }>;
type Notice = Exclude<RpcExtensionUIRequest, Dialog>;
/** Shows a state: the next one takes its place. */
type StateNotice = Exclude<Notice, { method: "notify" }>;
/** What a request says, without what every request has. */
type Content<Request> = Request extends RpcExtensionUIRequest ? Omit<Request, "type" | "id"> : never;

/** Dialogs become requests that wait for their response; what only shows something is sent and forgotten. */
export class RpcUI {
  readonly #send: (request: RpcExtensionUIRequest) => void;
  readonly #readerReady: () => Promise<void> | undefined;
  readonly #open = new Map<string, (answer: Answer) => void>();
  /** What the client has not been shown because it does not read, by what it replaces; undefined while it keeps up. */
  #held: Map<string, Content<StateNotice>> | undefined;
  #isClosed = false;
  readonly context: ExtensionUIContext;

  /** @param readerReady settles when the client has read what was written; undefined while it keeps up */
  constructor(send: (request: RpcExtensionUIRequest) => void, readerReady: () => Promise<void> | undefined) {
    this.#send = send;
    this.#readerReady = readerReady;
    this.context = this.#createContext();
  }

  /** Nobody will answer any more: open dialogs get their default, and so do those to come. */
  close(): void {
    this.#isClosed = true;
    for (const answer of [...this.#open.values()]) answer({ cancelled: true });
  }

  /** Takes a response. One that nobody waits for, or no longer, is ignored. */
  respond(response: Answer): void {
    const { id } = response;
    if (typeof id === "string") this.#open.get(id)?.(response);
  }

  #createContext(): ExtensionUIContext {
    const text = ({ value }: Answer) => (typeof value === "string" ? value : undefined);
    const setEditorText = (given: string) => this.#show({ method: "set_editor_text", text: given });
    return {
      ...noUI,
      select: (title, options, dialog) =>
        this.#ask({ method: "select", title, options, ...timeoutOf(dialog) }, text, undefined, dialog),
      confirm: (title, message, dialog) =>
        this.#ask({ method: "confirm", title, message, ...timeoutOf(dialog) }, confirmed, false, dialog),
      input: (title, placeholder, dialog) =>
        this.#ask(
          { method: "input", title, ...(placeholder !== undefined && { placeholder }), ...timeoutOf(dialog) },
          text,
          undefined,
          dialog,
        ),
      editor: (title, prefill) =>
        this.#ask({ method: "editor", title, ...(prefill !== undefined && { prefill }) }, text, undefined),
      notify: (message, type) => this.#tell({ method: "notify", message, ...(type && { notifyType: type }) }),
      setStatus: (key, status) =>
        this.#show({ method: "setStatus", statusKey: key, ...(status !== undefined && { statusText: status }) }, key),
      setWidget: (key, content, options) => {
        // Components are drawn by a screen, and there is none here.
        if (typeof content === "function") return;
        const place = options?.placement && { widgetPlacement: options.placement };
        this.#show({ method: "setWidget", widgetKey: key, ...(content && { widgetLines: content }), ...place }, key);
      },
      setTitle: (title) => this.#show({ method: "setTitle", title }),
      setEditorText,
      pasteToEditor: setEditorText,
      setTheme: () => ({ success: false, error: "Theme switching not supported in RPC mode" }),
    };
  }

  #tell(content: Content<Notice>): void {
    this.#send({ type: "extension_ui_request", id: randomUUID(), ...wellFormed(content) });
  }

  /** While the client does not read, only the last state is kept for it: an extension that shows progress fills no memory. */
  #show(content: Content<StateNotice>, key = ""): void {
    const pending = this.#held ? undefined : this.#readerReady();
    if (pending) {
      this.#held = new Map();
      void pending.then(() => {
        const held = this.#held?.values() ?? [];
        this.#held = undefined;
        for (const last of held) this.#tell(last);
      });
    }
    if (!this.#held) {
      this.#tell(content);
      return;
    }
    const name = `${content.method} ${key}`;
    // Behind what was shown after the state it replaces.
    this.#held.delete(name);
    this.#held.set(name, content);
  }

  /**
   * @param read the answer of a response; a response without it counts as cancelled
   * @param fallback the answer of a dialog that was cancelled, aborted or timed out
   */
  #ask<T>(
    content: Content<Dialog>,
    read: (answer: Answer) => T | undefined,
    fallback: T,
    { signal, timeout }: ExtensionUIDialogOptions = {},
  ): Promise<T> {
    if (signal?.aborted || this.#isClosed) return Promise.resolve(fallback);
    const id = randomUUID();
    return new Promise((resolve) => {
      const close = (answer: T) => {
        this.#open.delete(id);
        clearTimeout(timer);
        signal?.removeEventListener("abort", cancel);
        resolve(answer);
      };
      const cancel = () => close(fallback);
      const limit = dialogLimit(timeout);
      const timer = limit === undefined ? undefined : setTimeout(cancel, limit);
      signal?.addEventListener("abort", cancel, { once: true });
      this.#open.set(id, (response) => close(response["cancelled"] === true ? fallback : (read(response) ?? fallback)));
      this.#send({ type: "extension_ui_request", id, ...wellFormed(content) });
    });
  }
}

function confirmed({ confirmed: answer }: Answer): boolean | undefined {
  return typeof answer === "boolean" ? answer : undefined;
}

/** A number that JSON cannot write is no limit, for the client as for us. */
function timeoutOf(dialog: ExtensionUIDialogOptions | undefined): { timeout?: number } {
  return Number.isFinite(dialog?.timeout) ? { timeout: dialog?.timeout as number } : {};
}
