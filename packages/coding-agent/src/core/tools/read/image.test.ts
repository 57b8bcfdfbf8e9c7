import { describe, expect, it } from "vitest";
import { showImage } from "./image.js";

/** A BMP of 24 bits, all of one colour. */
function bmp(width: number, height: number): Buffer {
  const row = Math.ceil((width * 3) / 4) * 4;
  const file = Buffer.alloc(54 + row * height, 0x80);
  file.fill(0, 0, 54);
  file.write("BM");
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(54, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(width, 18);
  file.writeInt32LE(height, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(24, 28);
  return file;
}

describe("showImage", () => {
  it("converts what models do not take", async () => {
    const { note, image } = await showImage(bmp(3, 2), "image/bmp", {});
    expect(note).toBe("Read image file [image/bmp]\n[Image converted from image/bmp to image/png.]");
    expect(image?.mimeType).toBe("image/png");
  });

  it("names every change, one a line", async () => {
    const { note } = await showImage(bmp(300, 100), "image/bmp", { maxWidth: 200 });
    expect(note).toBe(
      "Read image file [image/bmp]\n[Image converted from image/bmp to image/png.]\n[Image: original 300x100, displayed at 200x67. Multiply coordinates by 1.50 to map to original image.]",
    );
  });

  it("says when an image had to be left out", async () => {
    expect(await showImage(bmp(30, 20), "image/bmp", { maxBytes: 10 })).toEqual({
      note: "Read image file [image/bmp]\n[Image omitted: could not be resized below the inline image size limit.]",
    });
    expect(await showImage(bmp(30, 20).subarray(0, 50), "image/bmp", {})).toEqual({
      note: "Read image file [image/bmp]\n[Image omitted: could not be converted to a supported inline image format.]",
    });
  });

  it("leaves the bytes alone when resizing is off", async () => {
    const bytes = Buffer.from("anything");
    expect(await showImage(bytes, "image/jpeg", false)).toEqual({
      note: "Read image file [image/jpeg]",
      image: { type: "image", data: bytes.toString("base64"), mimeType: "image/jpeg" },
    });
  });
});
