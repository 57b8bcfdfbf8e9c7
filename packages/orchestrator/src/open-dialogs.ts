import { dialogMethods } from "./agent-protocol.js";
import type { Dialog } from "./types.js";

/** The longest time a timer can be set to, in ms. What takes longer has no limit, for the agent as well. */
const longestTimer = 2 ** 31 - 1;

/** A dialog, and when the agent goes on without an answer (unix time in ms). */
export interface OpenDialog {
  dialog: Dialog;
  until?: number;
}

/** The dialogs that wait for an answer: each until it is answered, its time is over, or its agent ends. */
export class OpenDialogs {
  readonly #open = new Map<string, OpenDialog & { timer: NodeJS.Timeout | undefined }>();
  readonly #onClosed: (id: string) => void;

  constructor(onClosed: (id: string) => void = () => {}) {
    this.#onClosed = onClosed;
  }

  /** An `extension_ui_request` of the agent; those that only show something are none. */
  take(line: string): void {
    const dialog = dialogOf(line);
    if (!dialog || !dialogMethods.has(dialog.method)) return;
    const { timeout } = dialog;
    const hasLimit = timeout !== undefined && timeout > 0 && timeout <= longestTimer;
    this.add({ dialog, ...(hasLimit && { until: Date.now() + timeout }) });
  }

  /** One that another process has kept. */
  add({ dialog, until }: OpenDialog): void {
    const left = until === undefined ? undefined : until - Date.now();
    if (left !== undefined && left <= 0) return;
    this.close(dialog.id);
    const timer = left === undefined ? undefined : setTimeout(() => this.close(dialog.id), left).unref();
    this.#open.set(dialog.id, { dialog, ...(until !== undefined && { until }), timer });
  }

  /** False: it is not open. */
  close(id: string): boolean {
    const open = this.#open.get(id);
    if (!open) return false;
    clearTimeout(open.timer);
    this.#open.delete(id);
    this.#onClosed(id);
    return true;
  }

  clear(): void {
    for (const id of [...this.#open.keys()]) this.close(id);
  }

  get size(): number {
    return this.#open.size;
  }

  all(): OpenDialog[] {
    return [...this.#open.values()].map(({ dialog, until }) => ({ dialog, ...(until !== undefined && { until }) }));
  }
}

/** Undefined for a line that is not whole JSON: what an agent says must not end who keeps it. */
function dialogOf(line: string): (Dialog & { timeout?: number }) | undefined {
  try {
    return JSON.parse(line) as Dialog & { timeout?: number };
  } catch {
    return undefined;
  }
}
