import { describe, expect, it } from "vitest";
import { detectImageMimeType } from "./mime.js";

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))));
const png = (...chunks: Buffer[]) =>
  Buffer.concat([bytes([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), ...chunks]);
const chunk = (name: string, data: number[]) => bytes([0, 0, 0, data.length], name, data, [0, 0, 0, 0]);
const ihdr = (width: number) => chunk("IHDR", [0, 0, 0, width, 0, 0, 0, 1, 8, 6, 0, 0, 0]);
const bmp = (bits: number, planes = 1) => {
  const header = Buffer.alloc(54);
  header.write("BM");
  header.writeUInt32LE(54, 10);
  header.writeUInt32LE(40, 14);
  header.writeUInt16LE(planes, 26);
  header.writeUInt16LE(bits, 28);
  return header;
};

describe("detectImageMimeType", () => {
  it.each([
    ["JPEG", bytes([0xff, 0xd8, 0xff, 0xe0]), "image/jpeg"],
    ["lossless JPEG", bytes([0xff, 0xd8, 0xff, 0xf7]), null],
    ["PNG", png(ihdr(1), chunk("IDAT", [1])), "image/png"],
    ["PNG without a size", png(ihdr(0), chunk("IDAT", [1])), null],
    ["PNG signature only", png(), null],
    ["animated PNG", png(ihdr(1), chunk("acTL", [0, 0, 0, 1, 0, 0, 0, 0]), chunk("IDAT", [1])), null],
    ["GIF 87", bytes("GIF87a"), "image/gif"],
    ["GIF 89", bytes("GIF89a"), "image/gif"],
    ["WebP", bytes("RIFF", [1, 2, 3, 4], "WEBPVP8 "), "image/webp"],
    ["other RIFF", bytes("RIFF", [1, 2, 3, 4], "WAVEfmt "), null],
    ["BMP", bmp(24), "image/bmp"],
    ["BMP of an odd depth", bmp(15), null],
    ["BMP of two planes", bmp(24, 2), null],
    ["text that begins like BMP", bytes("BM is a common beginning of ordinary texts in some languages"), null],
    ["text", bytes("hello"), null],
    ["nothing", bytes(), null],
  ])("%s", (_name, head, expected) => {
    expect(detectImageMimeType(head)).toBe(expected);
  });
});
