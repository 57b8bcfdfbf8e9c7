import { compositeTuiLine } from "../text/slice.js";
import { visibleWidth } from "../text/width.js";
import type { Component, OverlayBounds, OverlayOptions } from "../types.js";
import { linesOf } from "./draw-component.js";
import { overlayArea } from "./overlay-layout.js";
import { isImageLine } from "./prepare-line.js";

/** One component over the others. */
export interface Overlay {
  readonly component: Component;
  readonly options: OverlayOptions;
  /** Who had the focus before. */
  focusBefore: Component | null;
  hidden: boolean;
  /** The one focused last is on top. */
  order: number;
  bounds: OverlayBounds | undefined;
}

/** The overlays in the order they were shown. */
export class OverlayStack {
  readonly overlays: Overlay[] = [];
  private orders = 0;

  add(component: Component, options: OverlayOptions, focusBefore: Component | null): Overlay {
    const overlay = { component, options, focusBefore, hidden: false, order: ++this.orders, bounds: undefined };
    this.overlays.push(overlay);
    return overlay;
  }

  remove(overlay: Overlay): boolean {
    const index = this.overlays.indexOf(overlay);
    if (index < 0) return false;
    this.overlays.splice(index, 1);
    // Those above it would otherwise give the focus back to what has gone.
    for (const other of this.overlays) {
      if (other.focusBefore === overlay.component) other.focusBefore = overlay.focusBefore;
    }
    return true;
  }

  raise(overlay: Overlay): void {
    overlay.order = ++this.orders;
  }

  of(component: Component | null): Overlay | undefined {
    return this.overlays.find((overlay) => overlay.component === component);
  }

  isVisible(overlay: Overlay, columns: number, rows: number): boolean {
    return !overlay.hidden && this.overlays.includes(overlay) && (overlay.options.visible?.(columns, rows) ?? true);
  }

  /** Visible overlays, the topmost last. */
  visible(columns: number, rows: number): Overlay[] {
    const shown = this.overlays.filter((overlay) => this.isVisible(overlay, columns, rows));
    return shown.sort((a, b) => a.order - b.order);
  }

  topCapturing(columns: number, rows: number): Overlay | undefined {
    return this.visible(columns, rows).findLast((overlay) => !overlay.options.nonCapturing);
  }

  /** Paints over the lines of the screen; `lines` has exactly `rows` entries. */
  paint(lines: readonly string[], columns: number, rows: number): string[] {
    // A picture drawn by the terminal would lie above the box.
    const painted = lines.map((line) => (isImageLine(line) ? "" : line));
    for (const overlay of this.visible(columns, rows)) {
      const area = overlayArea(overlay.options, columns, rows);
      const content = linesOf(overlay.component, area.width).slice(0, area.maxHeight);
      const bounds = area.place(content.length);
      overlay.bounds = bounds;
      for (const [at, line] of content.entries()) {
        const row = bounds.row + at;
        const base = painted[row];
        if (base === undefined) continue;
        const padded = base + " ".repeat(Math.max(0, bounds.col - visibleWidth(base)));
        painted[row] = compositeTuiLine(padded, line, bounds.col, bounds.width, columns);
      }
    }
    return painted;
  }
}
