import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  colorToHex,
  colorToOkhsl,
  colorToOklch,
  colorToRgb,
  indexedColor,
  mixColors,
  okhslColor,
  oklchColor,
  parseColor,
  rgbColor,
} from "./color.js";
import { backgroundAnsi, foregroundAnsi, styleText } from "./style.js";

const byte = fc.nat({ max: 255 });

describe("colours", () => {
  it.each([
    ["#f80", "#ff8800"],
    ["#0A0b0c", "#0a0b0c"],
    ["196", "#ff0000"],
    [231, "#ffffff"],
    [232, "#080808"],
    ["oklch(1 0 0)", "#ffffff"],
    ["oklch(62.8% 0.2577 29.23)", "#ff0000"],
    ["okhsl(0 0 1)", "#ffffff"],
  ])("%s is %s", (value, hex) => {
    expect(colorToHex(parseColor(value))).toBe(hex);
  });

  it.each(["", "red", "#12", 256, -1, 1.5])("%s is none, and says what would be", (value) => {
    expect(() => parseColor(value)).toThrow(/Use /);
  });

  it("comes back from every space", () => {
    fc.assert(
      fc.property(byte, byte, byte, (r, g, b) => {
        const color = rgbColor(r, g, b);
        const { l, c, h } = colorToOklch(color);
        expect(colorToRgb(oklchColor(l, c, h))).toEqual({ r, g, b });
      }),
    );
  });

  it("comes back from Okhsl, away from the limits of what can be shown", () => {
    const part = (min: number, max: number) => fc.double({ min, max, noNaN: true });
    fc.assert(
      fc.property(part(0, 360), part(0, 0.8), part(0.2, 0.9), (h, s, l) => {
        const color = okhslColor(h, s, l);
        const back = colorToOkhsl(color);
        expect(Math.abs(back.l - l)).toBeLessThan(0.02);
        const again = okhslColor(back.h, back.s, back.l);
        for (const name of ["r", "g", "b"] as const) expect(Math.abs(again[name] - color[name])).toBeLessThanOrEqual(3);
      }),
    );
  });

  it("mixes along the short way, and grey without a hue of its own", () => {
    const [red, white] = [parseColor("#ff0000"), parseColor("#ffffff")];
    expect(colorToHex(mixColors(red, white, 0))).toBe("#ff0000");
    expect(colorToHex(mixColors(red, white, 1))).toBe("#ffffff");
    expect(colorToOklch(mixColors(red, white, 0.5)).h).toBeCloseTo(colorToOklch(red).h, 3);
    expect(colorToHex(mixColors(parseColor("#000"), white, 0.5, "srgb"))).toBe("#808080");
    expect(colorToOklch(mixColors(oklchColor(0.5, 0.1, 350), oklchColor(0.5, 0.1, 10), 0.5)).h).toBeCloseTo(0, 3);
  });

  it("writes sequences for both kinds of terminal", () => {
    expect(foregroundAnsi(indexedColor(1), "truecolor")).toBe("\x1b[31m");
    expect(backgroundAnsi(indexedColor(9), "truecolor")).toBe("\x1b[101m");
    expect(foregroundAnsi(rgbColor(1, 2, 3), "truecolor")).toBe("\x1b[38;2;1;2;3m");
    expect(foregroundAnsi(rgbColor(255, 0, 0), "256color")).toBe("\x1b[38;5;196m");
    expect(backgroundAnsi(rgbColor(128, 128, 128), "256color")).toBe("\x1b[48;5;244m");
    expect(styleText("x", { bold: true, fg: indexedColor(2) }, "truecolor")).toBe("\x1b[32m\x1b[1mx\x1b[22;39m");
    expect(styleText("x", {}, "truecolor")).toBe("x");
  });
});
