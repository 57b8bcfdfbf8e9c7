import type { Component } from "../types.js";

/**
 * The lines of a component tree, shared with the components instead of copied: a frame reads only what is on screen.
 * A node never changes; unchanged parts are the same objects in the next frame.
 */
export interface LineNode {
  readonly component: Component;
  readonly length: number;
  readonly lines?: readonly string[];
  readonly children?: readonly LineNode[];
  /** First line of each child. */
  readonly offsets?: readonly number[];
}

/** Containers lay out into nodes; others are leafs. */
export const layoutLines = Symbol("layoutLines");

export interface LineTreeComponent extends Component {
  [layoutLines](width: number): LineNode;
}

/** The node of a component; `previous` is kept when its lines are the same array. */
export function nodeOf(component: Component, width: number, previous: LineNode | undefined): LineNode {
  if (layoutLines in component) return (component as LineTreeComponent)[layoutLines](width);
  const lines = component.render(width);
  if (previous?.component === component && previous.lines === lines) return previous;
  return { component, length: lines.length, lines };
}

/** Adds the lines `from` to `to` of a node to `out`. */
export function collectLines(node: LineNode, from: number, to: number, out: string[]): void {
  const end = Math.min(to, node.length);
  if (from >= end) return;
  if (node.lines) {
    for (let at = Math.max(0, from); at < end; at++) out.push(node.lines[at] ?? "");
    return;
  }
  const children = node.children ?? [];
  const offsets = node.offsets ?? [];
  for (let at = childAt(offsets, Math.max(0, from)); at < children.length; at++) {
    const child = children[at];
    const offset = offsets[at] ?? 0;
    if (!child || offset >= end) return;
    collectLines(child, from - offset, end - offset, out);
  }
}

/** Index of the last child that starts at or before a line. */
function childAt(offsets: readonly number[], line: number): number {
  let low = 0;
  let high = offsets.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((offsets[middle] ?? 0) <= line) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Names a line by the components it lies in, so that it can be found again when lines before it come or go. */
export interface LineAnchor {
  readonly path: readonly { readonly component: Component; readonly index: number }[];
  readonly inner: number;
}

export function anchorLine(node: LineNode, line: number): LineAnchor {
  const path: { component: Component; index: number }[] = [];
  let current = node;
  let inner = line;
  while (current.children && current.offsets && current.children.length > 0) {
    let index = childAt(current.offsets, inner);
    while (index > 0 && current.children[index]?.length === 0) index--;
    const child = current.children[index];
    if (!child) break;
    path.push({ component: child.component, index });
    inner -= current.offsets[index] ?? 0;
    current = child;
  }
  return { path, inner };
}

/** Where an anchored line is now; undefined when its component has gone. */
export function findAnchor(node: LineNode, anchor: LineAnchor): number | undefined {
  let current = node;
  let line = 0;
  for (const { component, index } of anchor.path) {
    const children = current.children ?? [];
    const at =
      children[index]?.component === component ? index : children.findIndex((child) => child.component === component);
    const child = children[at];
    if (!child) return undefined;
    line += current.offsets?.[at] ?? 0;
    current = child;
  }
  return line + Math.min(anchor.inner, Math.max(0, current.length - 1));
}
