import type { WorkingIndicatorOptions } from "../../../core/extensions/types/ui.js";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const INTERVAL_MS = 80;

/** A spinner with a message, for whoever draws it. */
export class WorkingStatus {
  #frame = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param redraw called when the spinner has moved */
  constructor(
    private readonly redraw: () => void,
    private message: string,
    private readonly options: WorkingIndicatorOptions = {},
  ) {
    const frames = this.#frames;
    if (frames.length < 2) return;
    this.#timer = setInterval(() => {
      this.#frame = (this.#frame + 1) % frames.length;
      this.redraw();
    }, options.intervalMs ?? INTERVAL_MS);
    this.#timer.unref();
  }

  get #frames(): readonly string[] {
    return this.options.frames ?? FRAMES;
  }

  /** The spinner as it stands, and the message. */
  text(): string {
    const frame = this.#frames[this.#frame] ?? "";
    return [frame, this.message].filter((part) => part !== "").join(" ");
  }

  setMessage(message: string): void {
    this.message = message;
    this.redraw();
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
