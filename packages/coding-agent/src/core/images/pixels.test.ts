import { describe, expect, it } from "vitest";
import type { Orientation } from "./header.js";
import { onWhite, orientPixels } from "./pixels.js";

/** Pixels named by letters, rows separated by blanks. */
function picture(rows: string) {
  const lines = rows.split(" ");
  const data = Uint8Array.from(lines.join(""), (letter) => letter.charCodeAt(0));
  const rgba = Uint8Array.from({ length: data.length * 4 }, (_, i) => data[i >> 2] ?? 0);
  return { data: rgba, width: lines[0]?.length ?? 0, height: lines.length };
}
function letters({ data, width, height }: { data: Uint8Array; width: number; height: number }) {
  const names = Array.from({ length: width * height }, (_, i) => String.fromCharCode(data[i * 4] ?? 0));
  return Array.from({ length: height }, (_, y) => names.slice(y * width, (y + 1) * width).join("")).join(" ");
}

describe("orientPixels", () => {
  // The upright picture is "abc def"; each row is how a camera stored it.
  it.each<[Orientation, string]>([
    [1, "abc def"],
    [2, "cba fed"],
    [3, "fed cba"],
    [4, "def abc"],
    [5, "ad be cf"],
    [6, "cf be ad"],
    [7, "fc eb da"],
    [8, "da eb fc"],
  ])("orientation %d", (orientation, stored) => {
    expect(letters(orientPixels(picture(stored), orientation))).toBe("abc def");
  });
});

describe("onWhite", () => {
  it("blends with white and leaves opaque pictures alone", () => {
    const opaque = { data: Uint8Array.of(1, 2, 3, 255), width: 1, height: 1 };
    expect(onWhite(opaque).data).toBe(opaque.data);
    expect([...onWhite({ data: Uint8Array.of(0, 0, 0, 0, 0, 100, 255, 128), width: 2, height: 1 }).data]).toEqual([
      255, 255, 255, 255, 127, 177, 255, 255,
    ]);
  });
});
