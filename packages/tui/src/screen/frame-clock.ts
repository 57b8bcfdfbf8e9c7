/** Shortest time between two frames, in milliseconds; what the user types does not wait for it. */
const FRAME_MS = 16;

/** Turns many requests for a frame into one. */
export class FrameClock {
  private requested = false;
  private urgent = false;
  private timer: NodeJS.Timeout | undefined;
  private lastFrame = Number.NEGATIVE_INFINITY;
  private running = false;

  constructor(private readonly draw: () => void) {}

  start(): void {
    this.running = true;
  }

  stop(): void {
    this.running = false;
    this.requested = false;
    this.urgent = false;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** Asks for a frame; `urgent` frames come on the next tick. */
  request(urgent: boolean): void {
    if (!this.running) return;
    const known = this.requested && (this.urgent || !urgent);
    this.requested = true;
    this.urgent ||= urgent;
    if (!known) process.nextTick(() => this.tick());
  }

  /** A frame has been drawn. */
  drawn(): void {
    this.requested = false;
    this.urgent = false;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.lastFrame = performance.now();
  }

  private tick(): void {
    if (!this.requested || !this.running) return;
    const wait = this.urgent ? 0 : this.lastFrame + FRAME_MS - performance.now();
    if (wait <= 0) this.draw();
    else this.timer ??= setTimeout(() => this.fire(), wait);
  }

  private fire(): void {
    this.timer = undefined;
    if (this.requested && this.running) this.draw();
  }
}
