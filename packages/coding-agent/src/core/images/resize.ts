/**
 * Making images fit what models take. Source: agent-and-tools.md B1 (Images).
 */
import type { ModelImageResizeOptions } from "@earendil-works/pi-ai";
import { type ImageCodec, isDecodable, loadCodec } from "./codec.js";
import { readImageSize, readOrientation } from "./header.js";
import { onWhite, orientPixels, type Pixels } from "./pixels.js";

export interface ResizedImage {
  /** Base64. */
  data: string;
  mimeType: string;
  originalWidth: number;
  originalHeight: number;
  width: number;
  height: number;
  /** False when the bytes are those that were given. */
  wasResized: boolean;
}

const DEFAULT_LIMITS = { maxWidth: 2000, maxHeight: 2000, maxBytes: 4.5 * 1024 * 1024, jpegQuality: 80 };
const LOWER_QUALITIES = [85, 70, 55, 40];
const SHRINK = 0.75;

/**
 * Makes an image fit the limits: unchanged if it does, else upright, scaled, and in the smallest of several encodings.
 *
 * @param options default 2000x2000 pixels, 4.5 MiB of base64 (strictly below), JPEG quality 80
 * @returns null when it cannot be decoded or made small enough
 */
export async function resizeImage(
  bytes: Uint8Array,
  mimeType: string,
  options: ModelImageResizeOptions = {},
): Promise<ResizedImage | null> {
  const limits = { ...DEFAULT_LIMITS, ...options };
  const stored = readImageSize(bytes, mimeType);
  if (stored && !isDecodable(stored)) return null;
  if (stored && stored.width <= limits.maxWidth && stored.height <= limits.maxHeight && fits(bytes, limits.maxBytes)) {
    return {
      data: toBase64(bytes),
      mimeType,
      originalWidth: stored.width,
      originalHeight: stored.height,
      ...stored,
      wasResized: false,
    };
  }
  try {
    const codec = await loadCodec();
    const original = orientPixels(codec.decode(bytes), readOrientation(bytes, mimeType));
    const encoded = encodeWithin(codec, original, limits);
    return (
      encoded && {
        ...encoded,
        originalWidth: original.width,
        originalHeight: original.height,
        wasResized: true,
      }
    );
  } catch {
    // The library ends in a trap on damaged pictures and when memory is short.
    return null;
  }
}

/**
 * An image as PNG; a PNG is returned as it is.
 *
 * @param base64 without a data-URL prefix
 * @returns null when it cannot be decoded
 */
export async function convertToPng(
  base64: string,
  mimeType: string,
): Promise<{ data: string; mimeType: string } | null> {
  if (mimeType === "image/png") return { data: base64, mimeType };
  const bytes = Buffer.from(base64, "base64");
  const size = readImageSize(bytes, mimeType);
  if (size && !isDecodable(size)) return null;
  try {
    const codec = await loadCodec();
    const upright = orientPixels(codec.decode(bytes), readOrientation(bytes, mimeType));
    return { data: toBase64(codec.encodePng(upright)), mimeType: "image/png" };
  } catch {
    // The library ends in a trap on damaged pictures and when memory is short.
    return null;
  }
}

/** How to get from places in the shown image to places in the original; undefined when they are the same. */
export function formatDimensionNote(image: ResizedImage): string | undefined {
  if (!image.wasResized) return undefined;
  const { originalWidth, originalHeight, width, height } = image;
  const scale = (originalWidth / width).toFixed(2);
  return `[Image: original ${originalWidth}x${originalHeight}, displayed at ${width}x${height}. Multiply coordinates by ${scale} to map to original image.]`;
}

/** Sizes to try, from the largest within the limits down to one pixel. */
export function targetSizes(
  original: { width: number; height: number },
  limits: { maxWidth: number; maxHeight: number },
): { width: number; height: number }[] {
  const scale = Math.min(1, limits.maxWidth / original.width, limits.maxHeight / original.height);
  let width = Math.max(1, Math.round(original.width * scale));
  let height = Math.max(1, Math.round(original.height * scale));
  const sizes = [{ width, height }];
  while (width > 1 || height > 1) {
    width = Math.max(1, Math.floor(width * SHRINK));
    height = Math.max(1, Math.floor(height * SHRINK));
    sizes.push({ width, height });
  }
  return sizes;
}

function encodeWithin(
  codec: ImageCodec,
  original: Pixels,
  limits: typeof DEFAULT_LIMITS,
): { data: string; mimeType: string; width: number; height: number } | null {
  for (const { width, height } of targetSizes(original, limits)) {
    const isSame = width === original.width && height === original.height;
    const pixels = isSame ? original : codec.resize(original, width, height);
    const flat = onWhite(pixels);
    const png = { bytes: codec.encodePng(pixels), mimeType: "image/png" };
    const jpeg = { bytes: codec.encodeJpeg(flat, limits.jpegQuality), mimeType: "image/jpeg" };
    const smaller = jpeg.bytes.length < png.bytes.length ? jpeg : png;
    if (fits(smaller.bytes, limits.maxBytes)) {
      return { data: toBase64(smaller.bytes), mimeType: smaller.mimeType, width, height };
    }
    for (const quality of LOWER_QUALITIES) {
      const bytes = codec.encodeJpeg(flat, quality);
      if (fits(bytes, limits.maxBytes)) return { data: toBase64(bytes), mimeType: "image/jpeg", width, height };
    }
  }
  return null;
}

/** Whether the base64 of the bytes stays below the limit. */
function fits(bytes: Uint8Array, maxBytes: number): boolean {
  return Math.ceil(bytes.length / 3) * 4 < maxBytes;
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}
