import type { OverlayBounds, OverlayOptions, SizeValue } from "../types.js";

/** Where an overlay goes: the width it is rendered at comes first, because its height depends on it. */
export interface OverlayArea {
  readonly width: number;
  /** Limit for the height. */
  readonly maxHeight: number;
  place(height: number): OverlayBounds;
}

/** Works out an overlay's place on a terminal of `columns` × `rows`. */
export function overlayArea(options: OverlayOptions, columns: number, rows: number): OverlayArea {
  const margin = margins(options.margin);
  const availableWidth = Math.max(1, columns - margin.left - margin.right);
  const availableHeight = Math.max(1, rows - margin.top - margin.bottom);
  const wanted = cells(options.width, columns) ?? Math.min(80, availableWidth);
  const width = clamp(Math.max(wanted, options.minWidth ?? 0), 1, availableWidth);
  const maxHeight = clamp(cells(options.maxHeight, rows) ?? availableHeight, 1, availableHeight);
  return {
    width,
    maxHeight,
    place(contentHeight) {
      const height = Math.min(contentHeight, maxHeight);
      const [vertical, horizontal] = anchorShares(options.anchor ?? "center");
      const freeRows = Math.max(0, availableHeight - height);
      const freeColumns = Math.max(0, availableWidth - width);
      const row = position(options.row, freeRows, margin.top, vertical) + (options.offsetY ?? 0);
      const col = position(options.col, freeColumns, margin.left, horizontal) + (options.offsetX ?? 0);
      return {
        row: clamp(row, margin.top, margin.top + freeRows),
        col: clamp(col, margin.left, margin.left + freeColumns),
        width,
        height,
      };
    },
  };
}

function margins(margin: OverlayOptions["margin"]) {
  const given = typeof margin === "number" ? { top: margin, right: margin, bottom: margin, left: margin } : margin;
  const side = (value: number | undefined) => Math.max(0, value ?? 0);
  return {
    top: side(given?.top),
    right: side(given?.right),
    bottom: side(given?.bottom),
    left: side(given?.left),
  };
}

function cells(size: SizeValue | undefined, whole: number): number | undefined {
  if (size === undefined || typeof size === "number") return size;
  return Math.floor((whole * Number.parseFloat(size)) / 100);
}

/** A number is absolute, a percentage is a share of the free space, and without either the anchor decides. */
function position(size: SizeValue | undefined, free: number, margin: number, share: number): number {
  if (typeof size === "number") return size;
  const part = size === undefined ? share : Number.parseFloat(size) / 100;
  return margin + Math.floor(free * part);
}

function anchorShares(anchor: string): [vertical: number, horizontal: number] {
  const vertical = anchor.startsWith("top") ? 0 : anchor.startsWith("bottom") ? 1 : 0.5;
  const horizontal = /left/.test(anchor) ? 0 : /right/.test(anchor) ? 1 : 0.5;
  return [vertical, horizontal];
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}
