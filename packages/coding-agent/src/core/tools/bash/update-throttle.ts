/** Calls back at once, then at most once per interval while there is something new; nothing new is lost. */
export class UpdateThrottle {
  private timer: NodeJS.Timeout | undefined;
  private last = Number.NEGATIVE_INFINITY;
  private dirty = false;

  constructor(
    private readonly intervalMs: number,
    private readonly update: () => void,
  ) {}

  /** Says that there is something new. */
  request(): void {
    this.dirty = true;
    if (this.timer) return;
    const wait = this.last + this.intervalMs - performance.now();
    if (wait <= 0) this.emit();
    else {
      this.timer = setTimeout(() => {
        this.timer = undefined;
        if (this.dirty) this.emit();
      }, wait);
    }
  }

  /** Ends it with a last update if something is new. */
  finish(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.dirty) this.emit();
  }

  private emit(): void {
    this.dirty = false;
    this.last = performance.now();
    this.update();
  }
}
