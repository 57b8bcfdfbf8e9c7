import { afterEach, describe, expect, it } from "vitest";
import { Image } from "../components/image.js";
import { resetCapabilitiesCache, setCapabilities } from "../terminal/capabilities.js";
import { getImageDimensions } from "./dimensions.js";
import { calculateImageRows, encodeKitty, imageFallback, renderImage } from "./protocols.js";

afterEach(resetCapabilitiesCache);
const kitty = { images: "kitty", trueColor: true, hyperlinks: true } as const;

const png = Buffer.concat([
  Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1"),
  Buffer.from([0, 0, 0, 180, 0, 0, 0, 90]),
  Buffer.alloc(20),
]).toString("base64");
const gif = Buffer.concat([Buffer.from("GIF89a"), Buffer.from([10, 0, 20, 0, 0, 0])]).toString("base64");
const jpeg = Buffer.from([
  ...[0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2],
  ...[0xff, 0xc0, 0, 11, 8, 0, 5, 0, 7, 1, 0, 0, 0],
]).toString("base64");
const webp = Buffer.concat([
  Buffer.from("RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0", "latin1"),
  Buffer.from([9, 0, 0, 4, 0, 0]),
]).toString("base64");

describe("pictures", () => {
  it.each([
    ["image/png", png, { widthPx: 180, heightPx: 90 }],
    ["image/gif", gif, { widthPx: 10, heightPx: 20 }],
    ["image/jpeg", jpeg, { widthPx: 7, heightPx: 5 }],
    ["image/webp", webp, { widthPx: 10, heightPx: 5 }],
    ["image/png", gif, null],
    ["image/jpeg", "////", null],
    ["image/bmp", png, null],
  ])("%s says its size", (mime, b64, expected) => {
    expect(getImageDimensions(b64, mime)).toEqual(expected);
  });

  it("sends long pictures in pieces", () => {
    const sequence = encodeKitty("x".repeat(9000), { columns: 3, imageId: 7, moveCursor: false });
    const pieces = sequence.split("\x1b\\").filter((piece) => piece !== "");
    expect(pieces.map((piece) => piece.slice(0, piece.indexOf(";")))).toEqual([
      "\x1b_Ga=T,f=100,q=2,C=1,c=3,i=7,m=1",
      "\x1b_Gm=1",
      "\x1b_Gm=0",
    ]);
  });

  it("works out cells", () => {
    setCapabilities(kitty);
    expect(calculateImageRows({ widthPx: 180, heightPx: 90 }, 20)).toBe(5);
    expect(renderImage(png, { widthPx: 180, heightPx: 90 }, { maxHeightCells: 2 })).toMatchObject({
      columns: 8,
      rows: 2,
    });
  });

  it("keeps the rows of a picture free, and says what it is where none can be shown", () => {
    setCapabilities(kitty);
    const theme = { fallbackColor: (text: string) => text };
    const lines = new Image(png, "image/png", theme).render(40);
    expect(lines).toHaveLength(5);
    expect(lines[0]).toContain("c=20,r=5");
    setCapabilities({ ...kitty, images: null });
    expect(new Image(png, "image/png", theme, { filename: "a.png" }).render(60)).toEqual([
      "[Image: a.png [image/png] 180x90]",
    ]);
    expect(imageFallback("image/gif")).toBe("[Image: [image/gif]]");
  });
});
