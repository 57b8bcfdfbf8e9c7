import { getKeybindings } from "../keys/keybindings.js";
import type { TUI } from "../types.js";
import { Text } from "./text.js";

type StyleFunction = (text: string) => string;

export interface LoaderIndicatorOptions {
  /** Drawn in turn, as they are; none hides the indicator, one stands still. */
  frames?: string[];
  /** Default 80. */
  intervalMs?: number;
}

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const INTERVAL_MS = 80;

/** Says that something is going on. Runs from the start. */
export class Loader extends Text {
  private frame = 0;
  private timer: NodeJS.Timeout | undefined;
  private frames: readonly string[] = FRAMES;
  private intervalMs = INTERVAL_MS;
  private custom = false;
  private stopped = false;

  constructor(
    private readonly ui: TUI,
    private readonly spinnerColor: StyleFunction,
    private readonly messageColor: StyleFunction,
    private message = "Loading...",
    indicator?: LoaderIndicatorOptions,
  ) {
    super("", 1, 0);
    this.useIndicator(indicator);
    this.start();
  }

  start(): void {
    this.stopped = false;
    this.show();
    clearInterval(this.timer);
    this.timer = undefined;
    if (this.frames.length <= 1) return;
    this.timer = setInterval(() => {
      this.frame = (this.frame + 1) % this.frames.length;
      this.show();
    }, this.intervalMs);
    // Waiting for something must not be what keeps the program alive.
    this.timer.unref();
  }

  stop(): void {
    this.stopped = true;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  setMessage(message: string): void {
    this.message = message;
    this.show();
  }

  /** Other frames; without options the usual ones. */
  setIndicator(indicator?: LoaderIndicatorOptions): void {
    this.useIndicator(indicator);
    this.frame = 0;
    if (this.stopped) this.show();
    else this.start();
  }

  override render(width: number): readonly string[] {
    // A fresh array each time: subclasses outside change it in place.
    return ["", ...super.render(width)];
  }

  protected getRenderedIndicator(): string {
    const frame = this.frames[this.frame] ?? "";
    return this.custom ? frame : this.spinnerColor(frame);
  }

  private useIndicator(indicator: LoaderIndicatorOptions | undefined): void {
    this.custom = indicator?.frames !== undefined;
    this.frames = indicator?.frames ?? FRAMES;
    this.intervalMs = indicator?.intervalMs ?? INTERVAL_MS;
  }

  private show(): void {
    const indicator = this.frames.length === 0 ? "" : `${this.getRenderedIndicator()} `;
    this.setText(`${indicator}${this.messageColor(this.message)}`);
    this.ui.requestRender();
  }
}

/** A loader that the user can cancel. */
export class CancellableLoader extends Loader {
  onAbort?: () => void;
  private readonly controller = new AbortController();

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get aborted(): boolean {
    return this.controller.signal.aborted;
  }

  handleInput(data: string): void {
    if (this.aborted || !getKeybindings().matches(data, "tui.select.cancel")) return;
    this.controller.abort();
    this.onAbort?.();
  }

  dispose(): void {
    this.stop();
  }
}
