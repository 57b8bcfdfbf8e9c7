/** The user, at the other end of the wire. Source: protocol.md section 7. */
import { randomUUID } from "node:crypto";
import { noUI } from "../../core/extensions/running/no-ui.js";
import type { ExtensionUIContext, ExtensionUIDialogOptions } from "../../core/extensions/types.js";
import type { RpcExtensionUIRequest } from "./rpc-types.js";

type Answer = Record<string, unknown>;
type Dialog = Extract<RpcExtensionUIRequest, { method: "select" | "confirm" | "input" | "editor" }>;
type Notice = Exclude<RpcExtensionUIRequest, Dialog>;
/** What a request says, without what every request has. */
type Content<Request> = Request extends RpcExtensionUIRequest ? Omit<Request, "type" | "id"> : never;

/** Dialogs become requests that wait for their response; what only shows something is sent and forgotten. */
export class RpcUI {
  readonly #send: (request: RpcExtensionUIRequest) => void;
  readonly #open = new Map<string, (answer: Answer) => void>();
  readonly context: ExtensionUIContext;

  constructor(send: (request: RpcExtensionUIRequest) => void) {
    this.#send = send;
    this.context = this.#createContext();
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
      notify: (message, type) => this.#show({ method: "notify", message, ...(type && { notifyType: type }) }),
      setStatus: (key, status) =>
        this.#show({ method: "setStatus", statusKey: key, ...(status !== undefined && { statusText: status }) }),
      setWidget: (key, content, options) => {
        // Components are drawn by a screen, and there is none here.
        if (typeof content === "function") return;
        this.#show({
          method: "setWidget",
          widgetKey: key,
          ...(content && { widgetLines: content }),
          ...(options?.placement && { widgetPlacement: options.placement }),
        });
      },
      setTitle: (title) => this.#show({ method: "setTitle", title }),
      setEditorText,
      pasteToEditor: setEditorText,
      setTheme: () => ({ success: false, error: "Theme switching not supported in RPC mode" }),
    };
  }

  #show(content: Content<Notice>): void {
    this.#send({ type: "extension_ui_request", id: randomUUID(), ...content });
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
    if (signal?.aborted) return Promise.resolve(fallback);
    const id = randomUUID();
    return new Promise((resolve) => {
      const close = (answer: T) => {
        this.#open.delete(id);
        clearTimeout(timer);
        signal?.removeEventListener("abort", cancel);
        resolve(answer);
      };
      const cancel = () => close(fallback);
      const timer = timeout !== undefined && timeout > 0 ? setTimeout(cancel, timeout) : undefined;
      signal?.addEventListener("abort", cancel, { once: true });
      this.#open.set(id, (response) => close(response["cancelled"] === true ? fallback : (read(response) ?? fallback)));
      this.#send({ type: "extension_ui_request", id, ...content });
    });
  }
}

function confirmed({ confirmed: answer }: Answer): boolean | undefined {
  return typeof answer === "boolean" ? answer : undefined;
}

function timeoutOf(dialog: ExtensionUIDialogOptions | undefined): { timeout?: number } {
  return dialog?.timeout === undefined ? {} : { timeout: dialog.timeout };
}
