import { collectLines, nodeOf } from "../screen/line-tree.js";
import type { Component } from "../types.js";

/** A part of the screen and the component that draws it. */
export interface Region {
  readonly component: Component;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const paintArea = Symbol("paintArea");
export const measureHeight = Symbol("measureHeight");

/** Components that fill an area instead of flowing down: stacks and scroll views. */
export interface AreaComponent extends Component {
  /** Exactly `area.height` lines; adds the regions of its parts, the innermost last. */
  [paintArea](area: Rectangle, regions: Region[]): string[];
  /** Rows it would take if it could. */
  [measureHeight](width: number): number;
}

function isAreaComponent(component: Component): component is AreaComponent {
  return paintArea in component;
}

/** Lines of a component for an area, exactly `area.height` of them; what is longer is cut. */
export function paintComponent(component: Component, area: Rectangle, regions: Region[]): string[] {
  regions.push({ component, ...area });
  if (isAreaComponent(component)) return component[paintArea](area, regions);
  const lines: string[] = [];
  collectLines(nodeOf(component, area.width, undefined), 0, area.height, lines);
  while (lines.length < area.height) lines.push("");
  return lines;
}

/** Rows a component takes at a width. */
export function naturalHeight(component: Component, width: number): number {
  return isAreaComponent(component) ? component[measureHeight](width) : nodeOf(component, width, undefined).length;
}
