import { Image, resetCapabilitiesCache, setCapabilities, setImageTranscoder } from "@earendil-works/pi-tui";
import { afterEach, beforeEach, expect, it } from "vitest";
import { loadCodec } from "../../../core/images/codec.js";
import { drawImagesAsPng } from "./images-as-png.js";

beforeEach(() => setCapabilities({ images: "kitty", trueColor: true, hyperlinks: true }));
afterEach(() => {
  setImageTranscoder(undefined);
  resetCapabilitiesCache();
});

const theme = { fallbackColor: (text: string) => text };
const shown = (image: Image) => {
  image.invalidate();
  return image.render(60).join("\n");
};

async function jpeg(width: number, height: number): Promise<string> {
  const codec = await loadCodec();
  const pixels = { data: new Uint8Array(width * height * 4).fill(200), width, height };
  return Buffer.from(codec.encodeJpeg(pixels, 80)).toString("base64");
}

it("draws a JPEG once it has been made a PNG, no larger than a terminal needs", async () => {
  let changes = 0;
  drawImagesAsPng(() => changes++);
  const image = new Image(await jpeg(1600, 20), "image/jpeg", theme);
  expect(shown(image)).toBe("[Image: [image/jpeg] 1600x20]");
  await expect.poll(() => changes).toBe(1);
  const [, data = ""] = /f=100[^;]*;([\w+/=]*)/.exec(shown(image)) ?? [];
  const png = Buffer.from(data, "base64");
  expect(png.toString("latin1", 1, 4)).toBe("PNG");
  expect(png.readUInt32BE(16)).toBe(1200);
  expect(changes).toBe(1);
});

it("says what a picture is that cannot be converted", async () => {
  let changes = 0;
  drawImagesAsPng(() => changes++);
  const words = Buffer.from("no picture").toString("base64");
  const broken = new Image(words, "image/jpeg", theme, {}, { widthPx: 16, heightPx: 16 });
  const good = new Image(await jpeg(16, 16), "image/jpeg", theme);
  expect(shown(broken)).toBe("[Image: [image/jpeg] 16x16]");
  shown(good);
  await expect.poll(() => changes).toBe(1);
  expect(shown(good)).toContain("f=100");
  expect(shown(broken)).toBe("[Image: [image/jpeg] 16x16]");
});
