import { invalidateComponent } from "../screen/draw-component.js";
import {
  childAt,
  collectLines,
  freshen,
  freshenLines,
  type Laziness,
  type LineNode,
  layoutLines,
  leafOf,
  nodeOf,
} from "../screen/line-tree.js";
import type { Component, TuiMouseEvent, TuiMouseEventResult } from "../types.js";

/** Components below each other. */
export class Container implements Component {
  children: Component[] = [];
  private laidOut: LineNode | undefined;
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
    for (const child of this.children) invalidateComponent(child);
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
    const node = this.laidOut;
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
  [layoutLines](width: number, lazy?: Laziness): LineNode {
    if (this.render === Container.prototype.render) return this.layOut(width, lazy);
    this.leaf = leafOf(this, this.leaf, lazy, width);
    return this.leaf;
  }

  [freshenLines](width: number, from: number, to: number): LineNode {
    const node = this.laidOut;
    if (this.render !== Container.prototype.render || !node) return this[layoutLines](width);
    const { children = [], offsets = [] } = node;
    let fresh: LineNode[] | undefined;
    let first = childAt(offsets, Math.max(0, from));
    // Empty ones at the edge may have got lines.
    while (first > 0 && children[first - 1]?.length === 0) first--;
    let changedAt = children.length;
    for (let at = first; at < children.length; at++) {
      const child = children[at];
      const offset = offsets[at] ?? 0;
      if (!child || offset > to) break;
      const next = freshen(child, width, from - offset, to - offset);
      if (next === child) continue;
      fresh ??= [...children];
      fresh[at] = next;
      changedAt = Math.min(changedAt, at);
    }
    return fresh ? this.keep(fresh, offsets, changedAt) : node;
  }

  private leaf: LineNode | undefined;

  /** From the end, because that is what a lazy layout wants. */
  private layOut(width: number, lazy?: Laziness): LineNode {
    const before = this.laidOut?.children ?? [];
    const count = this.children.length;
    let byComponent: Map<Component, LineNode> | undefined;
    let children: LineNode[] | undefined;
    let changedAt = Math.min(count, before.length);
    let rows = lazy ? lazy.rows : Number.POSITIVE_INFINITY;
    for (let at = count - 1; at >= 0; at--) {
      const child = this.children[at];
      let previous = before[at];
      if (!child) continue;
      if (previous?.component === child) {
        // Nothing to ask: out of sight, and in its place.
        if (rows <= 0) continue;
      } else {
        byComponent ??= new Map(before.map((node) => [node.component, node]));
        previous = byComponent.get(child);
      }
      const node = nodeOf(child, width, previous, lazy && { rows, guess: lazy.guess });
      rows -= node.length;
      if (node === before[at]) continue;
      children ??= before.slice(0, count);
      children[at] = node;
      changedAt = Math.min(changedAt, at);
    }
    if (this.laidOut && !children && count === before.length) return this.laidOut;
    return this.keep(children ?? before.slice(0, count), this.laidOut?.offsets ?? [], changedAt);
  }

  /** Makes the node of these children; their places are known up to the first that has changed. */
  private keep(children: readonly LineNode[], before: readonly number[], changedAt: number): LineNode {
    const offsets = before.slice(0, Math.min(changedAt + 1, children.length, before.length));
    for (let at = offsets.length; at < children.length; at++) {
      offsets.push(at === 0 ? 0 : (offsets[at - 1] ?? 0) + (children[at - 1]?.length ?? 0));
    }
    const length = (offsets.at(-1) ?? 0) + (children.at(-1)?.length ?? 0);
    this.laidOut = { component: this, length, children, offsets };
    return this.laidOut;
  }
}
