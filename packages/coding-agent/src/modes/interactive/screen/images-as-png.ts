import { setImageTranscoder } from "@earendil-works/pi-tui";

/** Pictures take some hundred pixels of a terminal; more of them would only have to be sent. */
const MAX_PIXELS = 1200;

/**
 * Lets terminals that draw nothing but PNGs draw pictures of other kinds as well. A picture is a line that says what it is
 * until it has been converted, and stays that when it cannot be.
 *
 * @param changed called when a picture can be drawn that could not before
 */
export function drawImagesAsPng(changed: () => void): void {
  /** By what they were made from. Null: not yet, or never. */
  const pngs = new Map<string, string | null>();
  setImageTranscoder((data, mimeType) => {
    const known = pngs.get(data);
    if (known !== undefined) return known;
    pngs.set(data, null);
    void smallPng(data, mimeType).then((png) => {
      if (png === undefined) return;
      pngs.set(data, png);
      changed();
    });
    return null;
  });
}

async function smallPng(data: string, mimeType: string): Promise<string | undefined> {
  // The library for pictures is large, and most conversations have none.
  const { convertToPng, resizeImage } = await import("../../../core/images/resize.js");
  const limits = { maxWidth: MAX_PIXELS, maxHeight: MAX_PIXELS };
  const small = await resizeImage(Buffer.from(data, "base64"), mimeType, limits);
  return small ? (await convertToPng(small.data, small.mimeType))?.data : undefined;
}
