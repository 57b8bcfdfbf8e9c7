import { beforeAll, describe, expect, it } from "vitest";
import { type ImageCodec, loadCodec } from "./codec.js";
import { isCutOff } from "./complete.js";
import { fitImage } from "./fit-image.js";

let codec: ImageCodec;
beforeAll(async () => {
  codec = await loadCodec();
});

const pixels = { data: new Uint8Array(40 * 30 * 4).fill(0x7f), width: 40, height: 30 };
const gif = Buffer.from("GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;", "latin1");
const webp = Buffer.concat([Buffer.from("RIFF\x0e\0\0\0WEBPVP8 "), Buffer.alloc(6)]);
const pictures: Record<string, () => Buffer> = {
  "image/png": () => Buffer.from(codec.encodePng(pixels)),
  "image/jpeg": () => Buffer.from(codec.encodeJpeg(pixels, 80)),
  "image/gif": () => gif,
  "image/webp": () => webp,
};

/** A preview in the head of a JPEG has an end of its own. */
function withPreview(jpeg: Buffer): Buffer {
  const preview = Buffer.from([0xff, 0xe1, 0, 6, 0xff, 0xd9, 0xff, 0xd9]);
  return Buffer.concat([jpeg.subarray(0, 2), preview, jpeg.subarray(2)]);
}

describe("isCutOff", () => {
  it.each(Object.keys(pictures))("knows whole %s from every shorter one", (mimeType) => {
    const whole = pictures[mimeType]?.() ?? Buffer.alloc(0);
    expect(isCutOff(whole, mimeType)).toBe(false);
    expect(isCutOff(Buffer.concat([whole, Buffer.alloc(10)]), mimeType)).toBe(false);
    for (let length = 0; length < whole.length; length++) {
      expect(isCutOff(whole.subarray(0, length), mimeType), `${length} of ${whole.length}`).toBe(true);
    }
  });

  it("takes no preview's end for the picture's", () => {
    const whole = withPreview(Buffer.from(codec.encodeJpeg(pixels, 80)));
    expect(isCutOff(whole, "image/jpeg")).toBe(false);
    expect(isCutOff(whole.subarray(0, whole.length - 1), "image/jpeg")).toBe(true);
  });
});

describe("fitImage", () => {
  it.each(["image/png", "image/gif"])("leaves a %s out that ends too early, and says so", async (mimeType) => {
    const whole = pictures[mimeType]?.() ?? Buffer.alloc(0);
    expect(await fitImage(whole.subarray(0, whole.length - 14), mimeType, {})).toEqual({
      hints: [
        "[Image omitted: could not be converted to a supported inline image format.]",
        "[The file ends before the picture does: it is damaged, or not fully written yet.]",
      ],
    });
  });
});
