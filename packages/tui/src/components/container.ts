import { collectLines, type LineNode, layoutLines, nodeOf } from "../screen/line-tree.js";
import type { Component, TuiMouseEvent, TuiMouseEventResult } from "../types.js";

/** Components below each other. */
export class Container implements Component {
  children: Component[] = [];
  private laidOut: { readonly width: number; readonly node: LineNode } | undefined;
  private drawn: { readonly node: LineNode; readonly lines: readonly string[] } | undefined;

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

  invalidate(): void {
    this.laidOut = undefined;
    // Components of extensions sometimes have nothing to drop.
    for (const child of this.children) (child as Partial<Component>).invalidate?.();
  }

  render(width: number): readonly string[] {
    const node = this.layOut(width);
    if (this.drawn?.node === node) return this.drawn.lines;
    const lines: string[] = [];
    collectLines(node, 0, node.length, lines);
    this.drawn = { node, lines };
    return lines;
  }

  handleMouse(event: TuiMouseEvent): TuiMouseEventResult | undefined {
    const node = this.laidOut?.node;
    const at = node?.offsets?.findLastIndex((offset) => offset <= event.y) ?? -1;
    const child = node?.children?.[at];
    const offset = node?.offsets?.[at] ?? 0;
    if (!child || event.y >= offset + child.length) return undefined;
    return child.component.handleMouse?.({ ...event, y: event.y - offset, height: child.length });
  }

  /**
   * The lines as a tree. A subclass that draws something else than its children (its own `render`) is a leaf, whatever
   * it inherits.
   */
  [layoutLines](width: number): LineNode {
    if (this.render !== Container.prototype.render) {
      const lines = this.render(width);
      const known = this.leaf;
      if (known?.lines === lines) return known;
      this.leaf = { component: this, length: lines.length, lines };
      return this.leaf;
    }
    return this.layOut(width);
  }

  private leaf: LineNode | undefined;

  private layOut(width: number): LineNode {
    const known = this.laidOut?.width === width ? this.laidOut.node : undefined;
    const before = known?.children ?? [];
    let changedAt = before.length === this.children.length ? -1 : Math.min(before.length, this.children.length);
    let changed: LineNode[] | undefined;
    for (let at = 0; at < this.children.length; at++) {
      const child = this.children[at];
      if (!child) continue;
      const node = nodeOf(child, width, before[at]);
      if (!changed && node === before[at]) continue;
      if (!changed) {
        changed = before.slice(0, at);
        changedAt = at;
      }
      changed.push(node);
    }
    if (known && changedAt < 0) return known;
    const children = changed ?? before.slice(0, this.children.length);
    const offsets = (known?.offsets ?? []).slice(0, Math.max(0, changedAt));
    let length = 0;
    for (let at = offsets.length; at < children.length; at++) {
      length = at === 0 ? 0 : (offsets[at - 1] ?? 0) + (children[at - 1]?.length ?? 0);
      offsets.push(length);
    }
    const last = children.length - 1;
    const total = last < 0 ? 0 : (offsets[last] ?? 0) + (children[last]?.length ?? 0);
    const node: LineNode = { component: this, length: total, children, offsets };
    this.laidOut = { width, node };
    return node;
  }
}
