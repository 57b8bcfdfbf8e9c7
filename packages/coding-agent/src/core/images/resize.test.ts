import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type ImageCodec, loadCodec } from "./codec.js";
import { detectSupportedImageMimeTypeFromFile } from "./detect-file.js";
import { readImageSize, readOrientation } from "./header.js";
import { convertToPng, formatDimensionNote, resizeImage, targetSizes } from "./resize.js";

let codec: ImageCodec;
beforeAll(async () => {
  codec = await loadCodec();
});

/** Left half red, right half blue; `noise` makes it hard to compress. */
function picture(width: number, height: number, noise = false) {
  const data = new Uint8Array(width * height * 4);
  let random = 1;
  for (let i = 0; i < data.length; i += 4) {
    const left = (i / 4) % width < width / 2;
    random = (random * 1103515245 + 12345) & 0x7fffffff;
    data.set([left ? 255 : 0, noise ? random >> 16 : 0, left ? 0 : 255, 255], i);
  }
  return { data, width, height };
}
const pngOf = (width: number, height: number, noise = false) =>
  Buffer.from(codec.encodePng(picture(width, height, noise)));
const decode = (image: { data: string }) => codec.decode(Buffer.from(image.data, "base64"));

/** A JPEG that says how it is to be turned. */
function jpegWithOrientation(width: number, height: number, orientation: number) {
  const jpeg = Buffer.from(codec.encodeJpeg(picture(width, height), 90));
  const exif = Buffer.from("4578696600004d4d002a00000008000101120003000000010000000000000000", "hex");
  exif.writeUInt16BE(orientation, 24);
  const segment = Buffer.concat([Buffer.from([0xff, 0xe1, 0, exif.length + 2]), exif]);
  return Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)]);
}

describe("headers", () => {
  it("tell size and orientation", () => {
    expect(readImageSize(pngOf(30, 20), "image/png")).toEqual({ width: 30, height: 20 });
    const jpeg = jpegWithOrientation(30, 20, 6);
    expect(readImageSize(jpeg, "image/jpeg")).toEqual({ width: 30, height: 20 });
    expect(readOrientation(jpeg, "image/jpeg")).toBe(6);
    expect(readOrientation(jpegWithOrientation(3, 2, 9), "image/jpeg")).toBe(1);
    expect(readOrientation(pngOf(3, 2), "image/png")).toBe(1);
    expect(readImageSize(Buffer.from("GIF89a\x05\x00\x07\x00", "latin1"), "image/gif")).toEqual({
      width: 5,
      height: 7,
    });
    expect(readImageSize(jpeg.subarray(0, 40), "image/jpeg")).toBeNull();
    expect(readImageSize(Buffer.alloc(10), "image/png")).toBeNull();
  });
});

describe("targetSizes", () => {
  it("begin within the limits and end at one pixel", () => {
    const sizes = targetSizes({ width: 3000, height: 1000 }, { maxWidth: 2000, maxHeight: 2000 });
    expect(sizes.slice(0, 2)).toEqual([
      { width: 2000, height: 667 },
      { width: 1500, height: 500 },
    ]);
    expect(sizes.at(-1)).toEqual({ width: 1, height: 1 });
    expect(targetSizes({ width: 10, height: 10 }, { maxWidth: 20, maxHeight: 20 })[0]).toEqual({
      width: 10,
      height: 10,
    });
  });
});

describe("resizeImage", () => {
  it("leaves an image within the limits alone", async () => {
    const png = pngOf(20, 10);
    const resized = await resizeImage(png, "image/png");
    expect(resized).toEqual({
      data: png.toString("base64"),
      mimeType: "image/png",
      originalWidth: 20,
      originalHeight: 10,
      width: 20,
      height: 10,
      wasResized: false,
    });
    expect(resized && formatDimensionNote(resized)).toBeUndefined();
  });

  it("scales to the limits and says how to map coordinates", async () => {
    const resized = await resizeImage(pngOf(3000, 1000), "image/png");
    expect(resized).toMatchObject({ width: 2000, height: 667, wasResized: true });
    expect(resized && decode(resized)).toMatchObject({ width: 2000, height: 667 });
    expect(resized && formatDimensionNote(resized)).toBe(
      "[Image: original 3000x1000, displayed at 2000x667. Multiply coordinates by 1.50 to map to original image.]",
    );
  });

  it("turns a picture upright when it encodes it anew", async () => {
    const resized = await resizeImage(jpegWithOrientation(40, 20, 6), "image/jpeg", { maxWidth: 10, maxHeight: 10 });
    expect(resized).toMatchObject({ originalWidth: 20, originalHeight: 40, width: 5, height: 10 });
    const { data } = decode(resized ?? { data: "" });
    // Stored left is up: red above blue.
    expect((data[0] ?? 0) > 200 && (data[2] ?? 0) < 60).toBe(true);
    expect((data.at(-4) ?? 0) < 60 && (data.at(-2) ?? 0) > 200).toBe(true);
  });

  it.each([60_000, 5_000, 900])("gets below %d bytes of base64", async (maxBytes) => {
    const resized = await resizeImage(pngOf(300, 200, true), "image/png", { maxBytes });
    expect(resized?.data.length).toBeLessThan(maxBytes);
    expect(resized && decode(resized)).toMatchObject({ width: resized?.width, height: resized?.height });
  });

  it("gives up on what cannot be small enough, is damaged, or is too large to decode", async () => {
    expect(await resizeImage(pngOf(30, 20), "image/png", { maxBytes: 10 })).toBeNull();
    expect(await resizeImage(pngOf(30, 20).subarray(0, 60), "image/png", { maxWidth: 10 })).toBeNull();
    const huge = pngOf(30, 20);
    huge.writeUInt32BE(100_000, 16);
    huge.writeUInt32BE(100_000, 20);
    expect(await resizeImage(huge, "image/png")).toBeNull();
    // The library still works after all this.
    expect(await resizeImage(pngOf(30, 20), "image/png", { maxWidth: 10 })).toMatchObject({ width: 10, height: 7 });
  });
});

describe("convertToPng", () => {
  it("keeps a PNG, converts others, and gives up on damaged ones", async () => {
    const png = pngOf(4, 2).toString("base64");
    expect(await convertToPng(png, "image/png")).toEqual({ data: png, mimeType: "image/png" });
    const converted = await convertToPng(jpegWithOrientation(8, 4, 8).toString("base64"), "image/jpeg");
    expect(converted?.mimeType).toBe("image/png");
    expect(converted && decode(converted)).toMatchObject({ width: 4, height: 8 });
    expect(await convertToPng(Buffer.from("no picture").toString("base64"), "image/bmp")).toBeNull();
  });
});

describe("detectSupportedImageMimeTypeFromFile", () => {
  it("looks at the content", async () => {
    const dir = mkdtempSync(join(tmpdir(), "image-test-"));
    try {
      writeFileSync(join(dir, "a.txt"), pngOf(1, 1));
      writeFileSync(join(dir, "b.png"), "text");
      expect(await detectSupportedImageMimeTypeFromFile(join(dir, "a.txt"))).toBe("image/png");
      expect(await detectSupportedImageMimeTypeFromFile(join(dir, "b.png"))).toBeNull();
      await expect(detectSupportedImageMimeTypeFromFile(join(dir, "no"))).rejects.toThrow("ENOENT");
      await expect(detectSupportedImageMimeTypeFromFile(dir)).rejects.toThrow("EISDIR");
    } finally {
      rmSync(dir, { recursive: true });
    }
  });
});
