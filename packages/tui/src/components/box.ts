import { invalidateComponent, linesOf } from "../screen/draw-component.js";
import { onOneLine } from "../text/escapes.js";
import { visibleWidth } from "../text/width.js";
import type { Component, TuiMouseEvent, TuiMouseEventResult } from "../types.js";

/** Components below each other, with padding and a background. */
export class Box implements Component {
  children: Component[] = [];
  private drawn: { key: string; parts: readonly (readonly string[])[]; lines: readonly string[] } | undefined;

  constructor(
    private paddingX = 1,
    private readonly paddingY = 1,
    private bgFn?: (text: string) => string,
  ) {}

  addChild(component: Component): void {
    this.children.push(component);
  }

  removeChild(component: Component): void {
    const index = this.children.indexOf(component);
    if (index >= 0) this.children.splice(index, 1);
  }

  clear(): void {
    this.children = [];
  }

  setBgFn(bgFn: ((text: string) => string) | undefined): void {
    if (bgFn) this.bgFn = bgFn;
    else delete this.bgFn;
  }

  setPaddingX(paddingX: number): void {
    this.paddingX = paddingX;
  }

  invalidate(): void {
    this.drawn = undefined;
    for (const child of this.children) invalidateComponent(child);
  }

  render(width: number): readonly string[] {
    const padding = Math.max(0, Math.min(this.paddingX, Math.floor((width - 1) / 2)));
    const parts = this.children.map((child) => linesOf(child, Math.max(1, width - 2 * padding)));
    // The function may be the same and the theme behind it another one: what it does decides.
    const key = `${width}:${padding}:${this.bgFn?.("test") ?? ""}`;
    const known = this.drawn;
    if (
      known?.key === key &&
      known.parts.length === parts.length &&
      parts.every((part, at) => part === known.parts[at])
    ) {
      return known.lines;
    }
    const lines = this.draw(width, padding, parts.flat());
    this.drawn = { key, parts, lines };
    return lines;
  }

  handleMouse(event: TuiMouseEvent): TuiMouseEventResult | undefined {
    let row = event.y - this.paddingY;
    for (const [at, child] of this.children.entries()) {
      const height = this.drawn?.parts[at]?.length ?? 0;
      if (row >= 0 && row < height) {
        return child.handleMouse?.({
          ...event,
          x: event.x - this.paddingX,
          y: row,
          width: event.width - 2 * this.paddingX,
          height,
        });
      }
      row -= height;
    }
    return undefined;
  }

  private draw(width: number, padding: number, content: readonly string[]): string[] {
    if (content.length === 0) return [];
    const margin = " ".repeat(padding);
    const fill = (line: string) => {
      const full = line + " ".repeat(Math.max(0, width - visibleWidth(line)));
      return this.bgFn ? this.bgFn(full) : full;
    };
    const empty = Array.from({ length: this.paddingY }, () => fill(""));
    return [...empty, ...content.map((line) => fill(margin + onOneLine(line))), ...empty];
  }
}
