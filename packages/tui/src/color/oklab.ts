import type { RgbColor } from "../types.js";

/** Oklab (B. Ottosson, 2020): lightness 0..1 and two opponent axes, in which equal steps look equal. */
export interface Oklab {
  L: number;
  a: number;
  b: number;
}

export function rgbToOklab({ r, g, b }: RgbColor): Oklab {
  const [lr, lg, lb] = [toLinear(r / 255), toLinear(g / 255), toLinear(b / 255)];
  const l = Math.cbrt(0.4122214708 * lr + 0.5363325363 * lg + 0.0514459929 * lb);
  const m = Math.cbrt(0.2119034982 * lr + 0.6806995451 * lg + 0.1073969566 * lb);
  const s = Math.cbrt(0.0883024619 * lr + 0.2817188376 * lg + 0.6299787005 * lb);
  return {
    L: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    a: 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    b: 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  };
}

/** Linear light of each channel; outside 0..1 the colour cannot be shown. */
export function oklabToLinear({ L, a, b }: Oklab): [r: number, g: number, b: number] {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

/** The nearest colour that can be shown, by cutting each channel. */
export function oklabToRgb(lab: Oklab): RgbColor {
  const [r, g, b] = oklabToLinear(lab).map((value) => Math.round(fromLinear(Math.max(0, Math.min(1, value))) * 255));
  return { r: r ?? 0, g: g ?? 0, b: b ?? 0 };
}

function toLinear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function fromLinear(value: number): number {
  return value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055;
}
