/** An image as a model takes it. Source: agent-and-tools.md B1 (Images), A9. */
import type { ImageContent, ModelImageResizeOptions } from "@earendil-works/pi-ai";
import { isCutOff } from "./complete.js";

export interface FittedImage {
  /** Absent when it could not be made to fit. */
  readonly image?: ImageContent;
  /** What was done to it, or why it is missing: one line each, for the model. */
  readonly hints: string[];
}

const NOT_CONVERTED = "[Image omitted: could not be converted to a supported inline image format.]";
const CUT_OFF = "[The file ends before the picture does: it is damaged, or not fully written yet.]";

/** Image types that models take; others are converted. */
const INLINE_TYPES = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);

/** @param resize limits, or false to leave the size alone */
export async function fitImage(
  bytes: Uint8Array,
  mimeType: string,
  resize: ModelImageResizeOptions | false,
): Promise<FittedImage> {
  // The code that can change images loads its library only when it must.
  const { convertToPng, formatDimensionNote, resizeImage } = await import("./resize.js");
  const hints: string[] = [];
  let current = { bytes, mimeType };
  const cutOff = resize !== false && isCutOff(bytes, mimeType);
  // What can be decoded all the same is whole once it is written anew. A PNG is not written anew.
  if (cutOff && mimeType === "image/png") return { hints: [NOT_CONVERTED, CUT_OFF] };
  if (cutOff || !INLINE_TYPES.has(mimeType)) {
    const png = await convertToPng(Buffer.from(bytes).toString("base64"), mimeType);
    if (!png) return { hints: cutOff ? [NOT_CONVERTED, CUT_OFF] : [NOT_CONVERTED] };
    current = { bytes: Buffer.from(png.data, "base64"), mimeType: png.mimeType };
    hints.push(`[Image converted from ${mimeType} to ${png.mimeType}.]`);
  }
  if (resize === false) {
    const data = Buffer.from(current.bytes).toString("base64");
    return { hints, image: { type: "image", data, mimeType: current.mimeType } };
  }
  const resized = await resizeImage(current.bytes, current.mimeType, resize);
  if (!resized) return { hints: ["[Image omitted: could not be resized below the inline image size limit.]"] };
  const dimensions = formatDimensionNote(resized);
  if (dimensions) hints.push(dimensions);
  return { hints, image: { type: "image", data: resized.data, mimeType: resized.mimeType } };
}
