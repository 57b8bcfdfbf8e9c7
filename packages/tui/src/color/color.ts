import type { RgbColor } from "../types.js";
import { okhslToOklab, oklabToOkhsl } from "./okhsl.js";
import { type Oklab, oklabToRgb, rgbToOklab } from "./oklab.js";

/** A colour of the terminal's palette, 0..255; the first 16 are the user's own. */
export interface IndexedColor {
  readonly kind: "indexed";
  readonly index: number;
}

/** Channels 0..255. */
export interface RgbColorValue {
  readonly kind: "rgb";
  readonly r: number;
  readonly g: number;
  readonly b: number;
}

/** Lightness 0..1, chroma from 0, hue in degrees. */
export interface OklchColorValue {
  readonly kind: "oklch";
  readonly l: number;
  readonly c: number;
  readonly h: number;
}

export type Color = IndexedColor | RgbColorValue | OklchColorValue;

export interface OklchChannels {
  l: number;
  c: number;
  h: number;
}

/** Hue in degrees, saturation and lightness 0..1. */
export interface OkhslChannels {
  h: number;
  s: number;
  l: number;
}

export type ColorMixSpace = "oklch" | "srgb";

export function indexedColor(index: number): IndexedColor {
  return { kind: "indexed", index: clamp(Math.round(index), 0, 255) };
}

export function rgbColor(r: number, g: number, b: number): RgbColorValue {
  return { kind: "rgb", r: channel(r), g: channel(g), b: channel(b) };
}

export function oklchColor(l: number, c: number, h: number): OklchColorValue {
  return { kind: "oklch", l: clamp(l, 0, 1), c: Math.max(0, c), h: hue(h) };
}

export function okhslColor(h: number, s: number, l: number): RgbColorValue {
  const { r, g, b } = oklabToRgb(okhslToOklab({ h: hue(h), s: clamp(s, 0, 1), l: clamp(l, 0, 1) }));
  return rgbColor(r, g, b);
}

const OKLCH = /^oklch\(\s*([\d.]+)(%?)\s+([\d.]+)\s+([\d.]+)(?:deg)?\s*\)$/i;
const OKHSL = /^okhsl\(\s*([\d.]+)(?:deg)?\s+([\d.]+)(%?)\s+([\d.]+)(%?)\s*\)$/i;

/**
 * A colour from a palette index, `#rgb`, `#rrggbb`, `oklch(l c h)` or `okhsl(h s l)`.
 *
 * @throws Error when the text is none of these
 */
export function parseColor(value: string | number): Color {
  if (typeof value === "number") {
    if (Number.isInteger(value) && value >= 0 && value <= 255) return indexedColor(value);
    throw new Error(`Colour ${value} is not in the terminal's palette. Use a whole number from 0 to 255.`);
  }
  const text = value.trim();
  const short = /^#([\da-f])([\da-f])([\da-f])$/i.exec(text);
  if (short) return fromHex(short.slice(1).map((digit) => digit + digit));
  const long = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(text);
  if (long) return fromHex(long.slice(1));
  if (/^\d{1,3}$/.test(text) && Number(text) <= 255) return indexedColor(Number(text));
  const oklch = OKLCH.exec(text);
  if (oklch) return oklchColor(share(oklch[1], oklch[2]), Number(oklch[3]), Number(oklch[4]));
  const okhsl = OKHSL.exec(text);
  if (okhsl) return okhslColor(Number(okhsl[1]), share(okhsl[2], okhsl[3]), share(okhsl[4], okhsl[5]));
  throw new Error(`"${value}" is no colour. Use #rrggbb, a number from 0 to 255, oklch(l c h) or okhsl(h s l).`);
}

function fromHex(digits: readonly string[]): RgbColorValue {
  const [r = 0, g = 0, b = 0] = digits.map((pair) => Number.parseInt(pair, 16));
  return rgbColor(r, g, b);
}

function share(number: string | undefined, percent: string | undefined): number {
  return Number(number) / (percent ? 100 : 1);
}

const ansi16 = [
  ...["#000000", "#800000", "#008000", "#808000", "#000080", "#800080", "#008080", "#c0c0c0"],
  ...["#808080", "#ff0000", "#00ff00", "#ffff00", "#0000ff", "#ff00ff", "#00ffff", "#ffffff"],
];
const cubeSteps = [0, 95, 135, 175, 215, 255];

/** Red, green and blue; for the first 16 of the palette what xterm shows, as the user's are not known. */
export function colorToRgb(color: Color): RgbColor {
  if (color.kind === "rgb") return { r: color.r, g: color.g, b: color.b };
  if (color.kind === "oklch") return oklabToRgb(lchToLab(color));
  const { index } = color;
  const named = ansi16[index];
  if (named) return colorToRgb(parseColor(named));
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return { r: grey, g: grey, b: grey };
  }
  const cube = index - 16;
  const step = (at: number) => cubeSteps[at % 6] ?? 0;
  return { r: step(Math.floor(cube / 36)), g: step(Math.floor(cube / 6)), b: step(cube) };
}

/** The palette entry from 16 on that looks most like a colour; the first 16 may be anything. */
export function nearestIndex(color: Color): number {
  if (color.kind === "indexed") return color.index;
  const { r, g, b } = colorToRgb(color);
  const nearestStep = (value: number) =>
    cubeSteps.reduce(
      (best, step, at) => (Math.abs(step - value) < Math.abs((cubeSteps[best] ?? 0) - value) ? at : best),
      0,
    );
  const cube = 16 + 36 * nearestStep(r) + 6 * nearestStep(g) + nearestStep(b);
  const grey = 232 + clamp(Math.round(((r + g + b) / 3 - 8) / 10), 0, 23);
  const distance = (index: number) => {
    const at = colorToRgb({ kind: "indexed", index });
    return (at.r - r) ** 2 + (at.g - g) ** 2 + (at.b - b) ** 2;
  };
  return distance(grey) < distance(cube) ? grey : cube;
}

export function colorToHex(color: Color): string {
  const { r, g, b } = colorToRgb(color);
  return `#${[r, g, b].map((value) => channel(value).toString(16).padStart(2, "0")).join("")}`;
}

export function colorToOklch(color: Color): OklchChannels {
  if (color.kind === "oklch") return { l: color.l, c: color.c, h: color.h };
  const { L, a, b } = rgbToOklab(colorToRgb(color));
  return { l: L, c: Math.hypot(a, b), h: hue((Math.atan2(b, a) * 180) / Math.PI) };
}

export function colorToOkhsl(color: Color): OkhslChannels {
  return oklabToOkhsl(rgbToOklab(colorToRgb(color)));
}

/** A colour between two: `amount` 0 is the first, 1 the second. */
export function mixColors(a: Color, b: Color, amount: number, space: ColorMixSpace = "oklch"): Color {
  const t = clamp(amount, 0, 1);
  const between = (from: number, to: number) => from + (to - from) * t;
  if (space === "srgb") {
    const [from, to] = [colorToRgb(a), colorToRgb(b)];
    return rgbColor(between(from.r, to.r), between(from.g, to.g), between(from.b, to.b));
  }
  const [from, to] = [colorToOklch(a), colorToOklch(b)];
  // Grey has no hue of its own: it takes that of the other, and the way round the circle is the short one.
  const fromHue = from.c < 1e-4 ? to.h : from.h;
  const toHue = to.c < 1e-4 ? from.h : to.h;
  const turn = ((toHue - fromHue + 540) % 360) - 180;
  return oklchColor(between(from.l, to.l), between(from.c, to.c), fromHue + turn * t);
}

function lchToLab({ l, c, h }: OklchChannels): Oklab {
  const angle = (h * Math.PI) / 180;
  return { L: l, a: c * Math.cos(angle), b: c * Math.sin(angle) };
}

function channel(value: number): number {
  return clamp(Math.round(value), 0, 255);
}

function hue(degrees: number): number {
  return ((degrees % 360) + 360) % 360;
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}
