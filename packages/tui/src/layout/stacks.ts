import { Container } from "../components/container.js";
import { sliceByColumn } from "../text/slice.js";
import { visibleWidth } from "../text/width.js";
import type { Component } from "../types.js";
import { distribute, type FlexItem } from "./flex.js";
import {
  type AreaComponent,
  measureHeight,
  naturalHeight,
  paintArea,
  paintComponent,
  type Rectangle,
  type Region,
} from "./paint.js";

export interface StackEntryOptions {
  /** Cells to start from; `auto` (the default) is what the component takes. */
  basis?: number | "auto";
  /** Share of what is left; default 0. */
  grow?: number;
  /** Share of what is missing; default 1. */
  shrink?: number;
  minSize?: number;
  maxSize?: number;
  visible?: boolean;
}

export interface StackEntry extends StackEntryOptions {
  component: Component;
}

export type StackChild = Component | StackEntry;

export interface StackOptions {
  /** Empty cells between the children; default 0. */
  gap?: number;
  /** Across the stack; default `stretch`. */
  align?: "stretch" | "start" | "center" | "end";
}

/** What both directions share. Without an area of its own a stack is a plain container. */
abstract class Stack extends Container implements AreaComponent {
  private readonly entries = new Map<Component, StackEntryOptions>();
  protected readonly gap: number;
  protected readonly align: NonNullable<StackOptions["align"]>;

  constructor(children: readonly StackChild[] = [], { gap = 0, align = "stretch" }: StackOptions = {}) {
    super();
    this.gap = gap;
    this.align = align;
    for (const child of children) {
      if ("component" in child) this.addChild(child.component, child);
      else this.addChild(child);
    }
  }

  abstract [paintArea](area: Rectangle, regions: Region[]): string[];
  abstract [measureHeight](width: number): number;

  override addChild(component: Component, options: StackEntryOptions = {}): void {
    super.addChild(component);
    this.entries.set(component, options);
  }

  override removeChild(component: Component): void {
    super.removeChild(component);
    this.entries.delete(component);
  }

  override clear(): void {
    super.clear();
    this.entries.clear();
  }

  protected shown(): Component[] {
    return this.children.filter((child) => this.entries.get(child)?.visible !== false);
  }

  protected sizes(children: readonly Component[], available: number, natural: (child: Component) => number): number[] {
    const items = children.map((child): FlexItem => {
      const { basis = "auto", grow = 0, shrink = 1, minSize = 0, maxSize } = this.entries.get(child) ?? {};
      const start = basis === "auto" ? natural(child) : basis;
      return { basis: start, grow, shrink, min: minSize, max: maxSize ?? Number.POSITIVE_INFINITY };
    });
    return distribute(items, Math.max(0, available - this.gap * Math.max(0, children.length - 1)));
  }
}

/** Children below each other, sharing the height. */
export class VStack extends Stack {
  [measureHeight](width: number): number {
    const children = this.shown();
    const gaps = this.gap * Math.max(0, children.length - 1);
    return children.reduce((sum, child) => sum + naturalHeight(child, width), gaps);
  }

  [paintArea](area: Rectangle, regions: Region[]): string[] {
    const children = this.shown();
    const heights = this.sizes(children, area.height, (child) => naturalHeight(child, area.width));
    const lines: string[] = [];
    for (const [at, child] of children.entries()) {
      const height = Math.min(heights[at] ?? 0, area.height - lines.length);
      if (height <= 0) continue;
      if (lines.length > 0) for (let gap = 0; gap < this.gap; gap++) lines.push("");
      for (const line of paintComponent(child, { ...area, y: area.y + lines.length, height }, regions))
        lines.push(line);
    }
    while (lines.length < area.height) lines.push("");
    return lines.slice(0, area.height);
  }
}

/** Children beside each other, sharing the width. */
export class HStack extends Stack {
  [measureHeight](width: number): number {
    const children = this.shown();
    const widths = this.widths(children, width);
    return Math.max(0, ...children.map((child, at) => naturalHeight(child, Math.max(1, widths[at] ?? 1))));
  }

  [paintArea](area: Rectangle, regions: Region[]): string[] {
    const children = this.shown();
    const widths = this.widths(children, area.width);
    const lines = Array.from({ length: area.height }, () => "");
    let x = 0;
    for (const [at, child] of children.entries()) {
      const width = Math.min(widths[at] ?? 0, area.width - x);
      if (width <= 0) continue;
      const height = this.align === "stretch" ? area.height : Math.min(area.height, naturalHeight(child, width));
      const free = area.height - height;
      const top = this.align === "end" ? free : this.align === "center" ? Math.floor(free / 2) : 0;
      const column = paintComponent(child, { x: area.x + x, y: area.y + top, width, height }, regions);
      for (const [row, line] of column.entries()) {
        const before = lines[top + row] ?? "";
        lines[top + row] = `${before}${" ".repeat(Math.max(0, x - visibleWidth(before)))}${cell(line, width)}`;
      }
      x += width + this.gap;
    }
    return lines;
  }

  /** Without a width of its own a child shares what is left. */
  private widths(children: readonly Component[], width: number): number[] {
    const share = Math.floor(width / Math.max(1, children.length));
    return this.sizes(children, width, () => share);
  }
}

function cell(line: string, width: number): string {
  const cut = visibleWidth(line) > width ? sliceByColumn(line, 0, width, true) : line;
  const reset = cut.includes("\x1b") ? "\x1b[0m\x1b]8;;\x07" : "";
  return cut + reset + " ".repeat(Math.max(0, width - visibleWidth(cut)));
}
