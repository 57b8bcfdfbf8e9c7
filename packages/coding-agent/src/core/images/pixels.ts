/**
 * RGBA pixels in memory. Pure.
 */
import type { Orientation } from "./header.js";

export interface Pixels {
  /** Four bytes per pixel, row by row. */
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Turns stored pixels upright. */
export function orientPixels({ data, width, height }: Pixels, orientation: Orientation): Pixels {
  if (orientation === 1) return { data, width, height };
  const swaps = orientation >= 5;
  const [outWidth, outHeight] = swaps ? [height, width] : [width, height];
  const mirrorsX = orientation === 2 || orientation === 3 || orientation === 7 || orientation === 8;
  const mirrorsY = orientation === 3 || orientation === 4 || orientation === 6 || orientation === 7;
  const from = new Uint32Array(data.slice().buffer);
  const to = new Uint32Array(from.length);
  for (let y = 0; y < outHeight; y++) {
    for (let x = 0; x < outWidth; x++) {
      const [column, row] = swaps ? [y, x] : [x, y];
      const sourceX = mirrorsX ? width - 1 - column : column;
      const sourceY = mirrorsY ? height - 1 - row : row;
      to[y * outWidth + x] = from[sourceY * width + sourceX] ?? 0;
    }
  }
  return { data: new Uint8Array(to.buffer), width: outWidth, height: outHeight };
}

/** The same picture on white, for formats without transparency. */
export function onWhite({ data, width, height }: Pixels): Pixels {
  let transparent = false;
  for (let i = 3; i < data.length && !transparent; i += 4) transparent = data[i] !== 255;
  if (!transparent) return { data, width, height };
  const flat = new Uint8Array(data.length);
  for (let i = 0; i < data.length; i += 4) {
    const alpha = (data[i + 3] ?? 255) / 255;
    for (let c = 0; c < 3; c++) flat[i + c] = Math.round((data[i + c] ?? 0) * alpha + 255 * (1 - alpha));
    flat[i + 3] = 255;
  }
  return { data: flat, width, height };
}
