import type { Component } from "../types.js";
import { linesOf } from "./draw-component.js";

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

/**
 * How much has to be right: `rows` at the end. What is before them stays as it was laid out last, for another width or
 * before a change; nobody sees it.
 */
export interface Laziness {
  readonly rows: number;
  /** What was never laid out is guessed; otherwise it is laid out, wherever it is. */
  readonly guess: boolean;
}

/** Containers lay out into nodes; others are leafs. */
export const layoutLines = Symbol("layoutLines");
/** Lays out what lies between two lines of the last node. */
export const freshenLines = Symbol("freshenLines");

export interface LineTreeComponent extends Component {
  [layoutLines](width: number, lazy?: Laziness): LineNode;
  [freshenLines](width: number, from: number, to: number): LineNode;
}

function isLineTree(component: Component): component is LineTreeComponent {
  return typeof component === "object" && component !== null && layoutLines in component;
}

/** Rows guessed for what was never laid out: a short message. */
const GUESS = 4;

/** The node of a component; `previous` is kept when its lines are the same array. */
export function nodeOf(component: Component, width: number, previous: LineNode | undefined, lazy?: Laziness): LineNode {
  if (isLineTree(component)) return component[layoutLines](width, lazy);
  return leafOf(component, previous, lazy, width);
}

/** The node of a component that draws its lines itself. */
export function leafOf(
  component: Component,
  previous: LineNode | undefined,
  lazy: Laziness | undefined,
  width: number,
): LineNode {
  const known = previous?.component === component ? previous : undefined;
  if (lazy && lazy.rows <= 0) {
    if (known) return known;
    if (lazy.guess) return { component, length: GUESS };
  }
  const lines = linesOf(component, width);
  return known?.lines === lines ? known : { component, length: lines.length, lines };
}

/** The node with everything between two of its lines laid out. */
export function freshen(node: LineNode, width: number, from: number, to: number): LineNode {
  const { component } = node;
  if (isLineTree(component)) return component[freshenLines](width, from, to);
  return nodeOf(component, width, node);
}

/** Adds the lines `from` to `to` of a node to `out`. */
export function collectLines(node: LineNode, from: number, to: number, out: string[]): void {
  const end = Math.min(to, node.length);
  if (from >= end) return;
  if (!node.children) {
    for (let at = Math.max(0, from); at < end; at++) out.push(node.lines?.[at] ?? "");
    return;
  }
  const { children, offsets = [] } = node;
  for (let at = childAt(offsets, Math.max(0, from)); at < children.length; at++) {
    const child = children[at];
    const offset = offsets[at] ?? 0;
    if (!child || offset >= end) return;
    collectLines(child, from - offset, end - offset, out);
  }
}

/** Index of the last child that starts at or before a line. */
export function childAt(offsets: readonly number[], line: number): number {
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
  /** Lines of the innermost component that follow, when its height was a guess. */
  readonly fromEnd?: number;
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
  return current.children || current.lines ? { path, inner } : { path, inner, fromEnd: current.length - inner };
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
  const inner = anchor.fromEnd === undefined ? anchor.inner : current.length - anchor.fromEnd;
  return line + Math.max(0, Math.min(inner, current.length - 1));
}
