import { type CellDimensions, getCapabilities, getCellDimensions } from "../terminal/capabilities.js";
import type { ImageDimensions } from "./dimensions.js";

const CHUNK = 4096;

/** A PNG for Kitty's graphics protocol, in pieces the protocol allows. */
export function encodeKitty(
  b64: string,
  options: { columns?: number; rows?: number; imageId?: number; moveCursor?: boolean } = {},
): string {
  const { columns, rows, imageId, moveCursor } = options;
  const keys = ["a=T", "f=100", "q=2"];
  if (moveCursor === false) keys.push("C=1");
  if (columns) keys.push(`c=${columns}`);
  if (rows) keys.push(`r=${rows}`);
  if (imageId) keys.push(`i=${imageId}`);
  if (b64.length <= CHUNK) return `\x1b_G${keys.join(",")};${b64}\x1b\\`;
  let sequence = "";
  for (let at = 0; at < b64.length; at += CHUNK) {
    const more = at + CHUNK < b64.length ? 1 : 0;
    sequence += `\x1b_G${at === 0 ? `${keys.join(",")},` : ""}m=${more};${b64.slice(at, at + CHUNK)}\x1b\\`;
  }
  return sequence;
}

export function deleteKittyImage(id: number): string {
  return `\x1b_Ga=d,d=I,i=${id},q=2\x1b\\`;
}

export function deleteAllKittyImages(): string {
  return "\x1b_Ga=d,d=A,q=2\x1b\\";
}

/** An id that no other program is likely to use. */
export function allocateImageId(): number {
  return 1 + Math.floor(Math.random() * 0xffffffff);
}

export function encodeITerm2(
  b64: string,
  options: {
    width?: number | string;
    height?: number | string;
    name?: string;
    preserveAspectRatio?: boolean;
    inline?: boolean;
  } = {},
): string {
  const { width, height, name, preserveAspectRatio, inline = true } = options;
  const keys = [`inline=${inline ? 1 : 0}`, `size=${Buffer.byteLength(b64, "base64")}`];
  if (width !== undefined) keys.push(`width=${width}`);
  if (height !== undefined) keys.push(`height=${height}`);
  if (name) keys.push(`name=${Buffer.from(name).toString("base64")}`);
  if (preserveAspectRatio === false) keys.push("preserveAspectRatio=0");
  return `\x1b]1337;File=${keys.join(";")}:${b64}\x07`;
}

/** Rows that a picture takes when it is `columns` wide. */
export function calculateImageRows(
  dimensions: ImageDimensions,
  columns: number,
  cell: CellDimensions = getCellDimensions(),
): number {
  const height = (dimensions.heightPx / dimensions.widthPx) * columns * cell.widthPx;
  return Math.max(1, Math.ceil(height / cell.heightPx));
}

export interface ImageRenderOptions {
  /** Default 80. */
  maxWidthCells?: number;
  maxHeightCells?: number;
  preserveAspectRatio?: boolean;
  imageId?: number;
  moveCursor?: boolean;
}

/** The sequence that shows a picture, and the cells it takes; null when the terminal shows none. */
export function renderImage(
  b64: string,
  dimensions: ImageDimensions,
  options: ImageRenderOptions = {},
): { sequence: string; columns: number; rows: number; imageId?: number } | null {
  const protocol = getCapabilities().images;
  if (!protocol) return null;
  const { maxWidthCells = 80, maxHeightCells, preserveAspectRatio, imageId, moveCursor } = options;
  const cell = getCellDimensions();
  let columns = Math.max(1, Math.min(maxWidthCells, Math.ceil(dimensions.widthPx / cell.widthPx)));
  let rows = calculateImageRows(dimensions, columns, cell);
  if (maxHeightCells !== undefined && rows > maxHeightCells) {
    rows = Math.max(1, maxHeightCells);
    columns = Math.max(
      1,
      Math.min(columns, Math.floor((rows * cell.heightPx * dimensions.widthPx) / dimensions.heightPx / cell.widthPx)),
    );
  }
  if (protocol === "iterm2") {
    const ratio = preserveAspectRatio === undefined ? {} : { preserveAspectRatio };
    return { sequence: encodeITerm2(b64, { width: columns, height: rows, ...ratio }), columns, rows };
  }
  const move = moveCursor === undefined ? {} : { moveCursor };
  const id = imageId === undefined ? {} : { imageId };
  return { sequence: encodeKitty(b64, { columns, rows, ...id, ...move }), columns, rows, ...id };
}

/** What stands for a picture where none can be shown. */
export function imageFallback(mime: string, dimensions?: ImageDimensions, filename?: string): string {
  const size = dimensions ? ` ${dimensions.widthPx}x${dimensions.heightPx}` : "";
  return `[Image: ${filename ? `${filename} ` : ""}[${mime}]${size}]`;
}

/** Makes a PNG (base64) of another kind of picture; null when it cannot. */
export type ImageTranscoder = (b64: string, mime: string) => string | null;

let transcoder: ImageTranscoder | undefined;

/** Sets what makes PNGs for terminals that show nothing else. */
export function setImageTranscoder(fn: ImageTranscoder | undefined): void {
  transcoder = fn;
}

/** The picture as the terminal can show it; null when it cannot. */
export function showableImage(b64: string, mime: string): string | null {
  const protocol = getCapabilities().images;
  if (!protocol) return null;
  return protocol === "iterm2" || mime === "image/png" ? b64 : (transcoder?.(b64, mime) ?? null);
}
