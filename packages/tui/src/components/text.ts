import { visibleWidth } from "../text/width.js";
import { wrapTextWithAnsi } from "../text/wrap.js";
import type { Component } from "../types.js";

type StyleFunction = (text: string) => string;

/** Wrapped text with padding, and a background of its own if it has one. */
export class Text implements Component {
  private drawn: { width: number; lines: readonly string[] } | undefined;

  constructor(
    private text = "",
    private paddingX = 1,
    private readonly paddingY = 1,
    private customBgFn?: StyleFunction,
  ) {}

  setText(text: string): void {
    if (text === this.text) return;
    this.text = text;
    this.drawn = undefined;
  }

  setCustomBgFn(customBgFn: StyleFunction | undefined): void {
    if (customBgFn) this.customBgFn = customBgFn;
    else delete this.customBgFn;
    this.drawn = undefined;
  }

  setPaddingX(paddingX: number): void {
    this.paddingX = paddingX;
    this.drawn = undefined;
  }

  invalidate(): void {
    this.drawn = undefined;
  }

  render(width: number): readonly string[] {
    if (this.drawn?.width !== width) this.drawn = { width, lines: this.draw(width) };
    return this.drawn.lines;
  }

  private draw(width: number): string[] {
    if (this.text.trim() === "") return [];
    const background = this.customBgFn;
    const padding = Math.max(0, Math.min(this.paddingX, Math.floor((width - 1) / 2)));
    const margin = " ".repeat(padding);
    const fill = (line: string) => {
      const full = line + " ".repeat(Math.max(0, width - visibleWidth(line)));
      return background ? background(full) : full;
    };
    const content = wrapTextWithAnsi(this.text, width - 2 * padding).map((line) => fill(margin + line));
    const empty = Array.from({ length: this.paddingY }, () => fill(""));
    return [...empty, ...content, ...empty];
  }
}
