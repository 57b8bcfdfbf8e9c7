import { invalidateComponent, linesOf } from "../screen/draw-component.js";
import type { Component, TuiMouseEvent, TuiMouseEventResult } from "../types.js";

export type MouseRegionHandler = (event: TuiMouseEvent) => TuiMouseEventResult | undefined;

/** Gives a component a mouse handler; the component's own comes first. */
export class MouseRegion implements Component {
  readonly children: Component[];

  constructor(
    private readonly child: Component,
    private readonly handler: MouseRegionHandler,
  ) {
    this.children = [child];
  }

  render(width: number): readonly string[] {
    return linesOf(this.child, width);
  }

  invalidate(): void {
    invalidateComponent(this.child);
  }

  handleMouse(event: TuiMouseEvent): TuiMouseEventResult | undefined {
    return this.child.handleMouse?.(event) ?? this.handler(event);
  }
}
