/**
 * An image file as `read` shows it. Source: agent-and-tools.md B1 (Images).
 */
import type { ImageContent, ModelImageResizeOptions } from "@earendil-works/pi-ai";

export interface ShownImage {
  /** What is said about the image; with hints, one a line. */
  readonly note: string;
  /** Absent when it could not be made to fit. */
  readonly image?: ImageContent;
}

/** Image types that models take; others are converted. */
const INLINE_TYPES = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);

/** @param resize limits, or false to leave the size alone */
export async function showImage(
  bytes: Uint8Array,
  mimeType: string,
  resize: ModelImageResizeOptions | false,
): Promise<ShownImage> {
  const title = `Read image file [${mimeType}]`;
  // The code that can change images loads its library only when it must.
  const { convertToPng, formatDimensionNote, resizeImage } = await import("../../images/resize.js");
  const hints: string[] = [];
  let current = { bytes, mimeType };
  if (!INLINE_TYPES.has(mimeType)) {
    const png = await convertToPng(Buffer.from(bytes).toString("base64"), mimeType);
    if (!png) {
      return { note: `${title}\n[Image omitted: could not be converted to a supported inline image format.]` };
    }
    current = { bytes: Buffer.from(png.data, "base64"), mimeType: png.mimeType };
    hints.push(`[Image converted from ${mimeType} to ${png.mimeType}.]`);
  }
  if (resize === false) {
    const data = Buffer.from(current.bytes).toString("base64");
    return { note: [title, ...hints].join("\n"), image: { type: "image", data, mimeType: current.mimeType } };
  }
  const resized = await resizeImage(current.bytes, current.mimeType, resize);
  if (!resized) {
    return { note: `${title}\n[Image omitted: could not be resized below the inline image size limit.]` };
  }
  const dimensions = formatDimensionNote(resized);
  if (dimensions) hints.push(dimensions);
  return {
    note: [title, ...hints].join("\n"),
    image: { type: "image", data: resized.data, mimeType: resized.mimeType },
  };
}
