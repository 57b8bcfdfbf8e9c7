/**
 * An image file as `read` shows it. Source: agent-and-tools.md B1 (Images).
 */
import type { ImageContent, ModelImageResizeOptions } from "@earendil-works/pi-ai";
import { fitImage } from "../../images/fit-image.js";

export interface ShownImage {
  /** What is said about the image; with hints, one a line. */
  readonly note: string;
  /** Absent when it could not be made to fit. */
  readonly image?: ImageContent;
}

/** @param resize limits, or false to leave the size alone */
export async function showImage(
  bytes: Uint8Array,
  mimeType: string,
  resize: ModelImageResizeOptions | false,
): Promise<ShownImage> {
  const { image, hints } = await fitImage(bytes, mimeType, resize);
  return { note: [`Read image file [${mimeType}]`, ...hints].join("\n"), ...(image && { image }) };
}
