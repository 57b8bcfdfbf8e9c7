import { truncateToWidth } from "../text/truncate.js";
import { visibleWidth } from "../text/width.js";
import type { Component } from "../types.js";

/** The first line of a text, cut where the space ends. */
export class TruncatedText implements Component {
  private drawn: { width: number; lines: readonly string[] } | undefined;

  constructor(
    private readonly text: string,
    private readonly paddingX = 0,
    private readonly paddingY = 0,
  ) {}

  invalidate(): void {
    this.drawn = undefined;
  }

  render(width: number): readonly string[] {
    if (this.drawn?.width === width) return this.drawn.lines;
    const padding = Math.max(0, Math.min(this.paddingX, Math.floor((width - 1) / 2)));
    const [first = ""] = this.text.split(/[\r\n]/, 1);
    const line = " ".repeat(padding) + truncateToWidth(first, Math.max(1, width - 2 * padding));
    const filled = line + " ".repeat(Math.max(0, width - visibleWidth(line)));
    const empty = Array.from({ length: this.paddingY }, () => " ".repeat(width));
    this.drawn = { width, lines: [...empty, filled, ...empty] };
    return this.drawn.lines;
  }
}
