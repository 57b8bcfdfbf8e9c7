/** Between two frames of a stream, in ms. */
const MIN_MS = 50;
const MAX_MS = 200;
/** A frame that took so long is followed by so many times as long without one: drawing gets a thirtieth of the time. */
const SHARE = 30;

/**
 * Draws what streams in, as often as the machine can afford: a fast one twenty times a second, a slow one less often.
 * What the user types does not wait for it.
 */
export class StreamPacer {
  #timer: NodeJS.Timeout | undefined;
  #next = 0;

  constructor(private readonly draw: () => void) {}

  request(): void {
    this.#timer ??= setTimeout(() => this.#fire(), Math.max(0, this.#next - performance.now()));
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #fire(): void {
    this.#timer = undefined;
    const start = performance.now();
    this.draw();
    const end = performance.now();
    this.#next = end + Math.max(MIN_MS, Math.min(MAX_MS, (end - start) * SHARE));
  }
}
