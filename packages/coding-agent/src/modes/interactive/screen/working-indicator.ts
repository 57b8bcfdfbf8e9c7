import { Loader, type TUI } from "@earendil-works/pi-tui";
import type { WorkingIndicatorOptions } from "../../../core/extensions/types/ui.js";
import type { PromptEditor } from "../input/prompt-editor.js";
import { WorkingStatus } from "../input/working-status.js";
import { currentTheme } from "../theme/current.js";
import type { Layout } from "./layout.js";
import type { StreamPacer } from "./stream-pacer.js";

/** Says what the agent is doing: in the editor's border, or in a line of its own when the editor has no place for it. */
export class WorkingIndicator {
  #status: WorkingStatus | undefined;
  #loader: Loader | undefined;
  #message: string | undefined;
  #countdown: NodeJS.Timeout | undefined;
  #own: string | undefined;
  #isVisible = true;
  #options: WorkingIndicatorOptions | undefined;

  constructor(
    private readonly tui: TUI,
    private readonly layout: Layout,
    private readonly editor: PromptEditor,
    private readonly pacer: StreamPacer,
  ) {}

  /** The usual word for the work of the agent; an extension may have chosen another one. */
  working(): void {
    this.show(this.#own ?? "Working");
  }

  show(message: string): void {
    clearInterval(this.#countdown);
    this.#message = message;
    this.#draw();
  }

  /** A message that counts down to something. `text` makes it from the seconds that are left. */
  countDown(ms: number, text: (seconds: number) => string): void {
    const end = Date.now() + ms;
    const left = () => Math.max(0, Math.ceil((end - Date.now()) / 1000));
    this.show(text(left()));
    this.#countdown = setInterval(() => {
      this.#message = text(left());
      this.#status?.setMessage(this.#message);
      this.#loader?.setMessage(this.#message);
    }, 1000);
    this.#countdown.unref();
  }

  clear(): void {
    clearInterval(this.#countdown);
    this.#message = undefined;
    this.#draw();
  }

  get isShown(): boolean {
    return this.#message !== undefined;
  }

  /** The word of an extension instead of `Working`; undefined brings that back. */
  setMessage(message: string | undefined): void {
    const isWorking = this.#message !== undefined && this.#message === (this.#own ?? "Working");
    this.#own = message;
    if (isWorking) this.working();
  }

  setVisible(visible: boolean): void {
    this.#isVisible = visible;
    this.#draw();
  }

  setOptions(options: WorkingIndicatorOptions | undefined): void {
    this.#options = options;
    this.#draw();
  }

  /** The editor has been swapped. */
  redraw(): void {
    this.#draw();
  }

  #draw(): void {
    this.#status?.stop();
    this.#loader?.stop();
    this.#status = undefined;
    this.#loader = undefined;
    this.layout.status.clear();
    const message = this.#isVisible ? this.#message : undefined;
    if (message !== undefined) this.#status = new WorkingStatus(() => this.pacer.request(), message, this.#options);
    const embedded = this.editor.setWorkingStatus(this.#status);
    if (!embedded && message !== undefined) {
      this.#status?.stop();
      const fg = (token: "accent" | "muted") => (text: string) => currentTheme().fg(token, text);
      const { frames, intervalMs } = this.#options ?? {};
      const options = { ...(frames && { frames }), ...(intervalMs !== undefined && { intervalMs }) };
      this.#loader = new Loader(this.tui, fg("accent"), fg("muted"), message, options);
      this.layout.status.addChild(this.#loader);
    }
    this.tui.requestRender();
  }
}
