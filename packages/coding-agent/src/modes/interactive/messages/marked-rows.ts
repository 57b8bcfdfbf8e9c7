import type { Component } from "@earendil-works/pi-tui";

const START = "\x1b]133;A\x07";
const END = "\x1b]133;B\x07\x1b]133;C\x07";

/** Marks the rows of a prompt, so that keys can jump from one to the next. */
export class PromptMarks implements Component {
  #marked: { from: readonly string[]; lines: readonly string[] } | undefined;

  constructor(private readonly inner: Component) {}

  invalidate(): void {
    this.inner.invalidate();
    this.#marked = undefined;
  }

  render(width: number): readonly string[] {
    const lines = this.inner.render(width);
    if (this.#marked?.from === lines) return this.#marked.lines;
    const marked = lines.map((line, at) => (at === 0 ? START : "") + line + (at === lines.length - 1 ? END : ""));
    this.#marked = { from: lines, lines: marked };
    return marked;
  }
}
