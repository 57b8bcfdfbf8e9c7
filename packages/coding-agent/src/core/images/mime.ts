/**
 * Which bytes are an image that models take. Pure: content decides, never the name.
 * Source: agent-and-tools.md B1 (Images).
 */

/** Bytes from the start of a file that are enough to tell. */
export const SNIFFED_BYTES = 4100;

/** Image types by content; BMP is one that must be converted before it is sent. */
export type ImageMimeType = "image/jpeg" | "image/png" | "image/gif" | "image/webp" | "image/bmp";

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const BMP_BITS_PER_PIXEL = new Set([1, 4, 8, 16, 24, 32]);

/** The image type of a file by its first bytes, or null. Animated PNG counts as no image. */
export function detectImageMimeType(head: Uint8Array): ImageMimeType | null {
  if (startsWith(head, [0xff, 0xd8, 0xff]) && head[3] !== 0xf7) return "image/jpeg";
  if (startsWith(head, PNG_SIGNATURE)) return isStillPng(head) ? "image/png" : null;
  const text = (from: number, to: number) => String.fromCharCode(...head.subarray(from, to));
  if (text(0, 6) === "GIF87a" || text(0, 6) === "GIF89a") return "image/gif";
  if (text(0, 4) === "RIFF" && text(8, 12) === "WEBP") return "image/webp";
  if (text(0, 2) === "BM" && isBmp(head)) return "image/bmp";
  return null;
}

function startsWith(head: Uint8Array, bytes: readonly number[]): boolean {
  return bytes.every((byte, i) => head[i] === byte);
}

/** An IHDR of 13 bytes with a size comes first; an animation announces itself before the image data. */
function isStillPng(head: Uint8Array): boolean {
  const view = viewOf(head);
  if (head.length < 33 || view.getUint32(8) !== 13 || chunkName(head, 8) !== "IHDR") return false;
  if (view.getUint32(16) === 0 || view.getUint32(20) === 0) return false;
  for (let at = 8; at + 8 <= head.length; at += 12 + view.getUint32(at)) {
    const name = chunkName(head, at);
    if (name === "acTL") return false;
    if (name === "IDAT" || name === "IEND") return true;
  }
  return true;
}

function chunkName(head: Uint8Array, at: number): string {
  return String.fromCharCode(...head.subarray(at + 4, at + 8));
}

/** `BM` also begins ordinary texts, so the header must make sense. */
function isBmp(head: Uint8Array): boolean {
  if (head.length < 30) return false;
  const view = viewOf(head);
  const headerSize = view.getUint32(14, true);
  const pixelOffset = view.getUint32(10, true);
  if (headerSize < 12 || headerSize > 124 || pixelOffset < 14 + headerSize) return false;
  const isCore = headerSize === 12;
  const planes = view.getUint16(isCore ? 22 : 26, true);
  const bits = view.getUint16(isCore ? 24 : 28, true);
  return planes === 1 && BMP_BITS_PER_PIXEL.has(bits);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
