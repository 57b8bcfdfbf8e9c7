import {
  type Color,
  indexedColor,
  mixColors,
  type RgbColor,
  rgbColor,
  type TerminalColors,
} from "@earendil-works/pi-tui";
import type { ThemeColors, ThemeValue } from "../../../core/themes/theme.js";
import type { ThemeAppearance, ThemeToken } from "../../../core/themes/tokens.js";
import { contrast, fitted, luminance, quantized } from "./contrast.js";

/** Eight colours from which a whole theme follows. */
export interface Palette {
  background: Color;
  foreground: Color;
  red: Color;
  green: Color;
  yellow: Color;
  blue: Color;
  magenta: Color;
  cyan: Color;
}

/** WCAG AA. */
const READABLE = 4.5;
/** For lines and rules, which nobody reads. */
const VISIBLE = 3;

export interface DeriveOptions {
  /** The palette is the terminal's: ordinary text has its own colour, if that can be read. Default false. */
  ownText?: boolean;
  /** The terminal shows 256 colours only. Default false. */
  coarse?: boolean;
}

/** Hues of a palette at lightnesses that can be read on its background and on every panel. */
export function deriveColors(palette: Palette, { ownText, coarse }: DeriveOptions = {}): ThemeColors {
  const { background, foreground } = palette;
  const shown = coarse ? quantized : (color: Color) => color;
  const panel = (color: Color, amount: number) => shown(mixColors(background, color, amount, "srgb"));
  const panels = {
    selectedBg: panel(palette.blue, 0.2),
    searchMatchBg: panel(palette.yellow, 0.22),
    userMessageBg: panel(foreground, 0.1),
    customMessageBg: panel(palette.magenta, 0.13),
    toolPendingBg: panel(foreground, 0.07),
    toolSuccessBg: panel(palette.green, 0.1),
    toolErrorBg: panel(palette.red, 0.14),
  };
  const all = [background, ...Object.values(panels)];
  const read = (color: Color) => fitted(color, all, READABLE, shown);
  const see = (color: Color) => fitted(color, [background], VISIBLE, shown);
  const isReadable = all.every((one) => contrast(foreground, one) >= READABLE);
  const text: ThemeValue = ownText && isReadable ? "" : read(foreground);
  const [red, green, yellow] = [read(palette.red), read(palette.green), read(palette.yellow)];
  const [blue, magenta, cyan] = [read(palette.blue), read(palette.magenta), read(palette.cyan)];
  const muted = read(mixColors(foreground, background, 0.3, "srgb"));
  const dim = read(mixColors(foreground, background, 0.42, "srgb"));
  const quiet = see(mixColors(foreground, background, 0.6, "srgb"));
  return {
    ...panels,
    accent: cyan,
    border: see(palette.blue),
    borderAccent: cyan,
    borderMuted: quiet,
    success: green,
    error: red,
    warning: yellow,
    muted,
    dim,
    text,
    thinkingText: muted,
    scrollbarTrack: quiet,
    scrollbarThumb: muted,
    searchMatchText: read(foreground),
    userMessageText: text,
    customMessageText: text,
    customMessageLabel: magenta,
    toolTitle: text,
    toolOutput: muted,
    mdHeading: yellow,
    mdLink: blue,
    mdLinkUrl: dim,
    mdCode: cyan,
    mdCodeBlock: green,
    mdCodeBlockBorder: dim,
    mdQuote: muted,
    mdQuoteBorder: quiet,
    mdHr: quiet,
    mdListBullet: cyan,
    toolDiffAdded: green,
    toolDiffRemoved: red,
    toolDiffContext: dim,
    syntaxComment: dim,
    syntaxKeyword: magenta,
    syntaxFunction: blue,
    syntaxVariable: text,
    syntaxString: green,
    syntaxNumber: yellow,
    syntaxType: cyan,
    syntaxOperator: muted,
    syntaxPunctuation: muted,
    thinkingOff: quiet,
    thinkingMinimal: see(mixColors(foreground, background, 0.45, "srgb")),
    thinkingLow: see(palette.blue),
    thinkingMedium: see(palette.cyan),
    thinkingHigh: see(palette.magenta),
    thinkingXhigh: see(palette.yellow),
    thinkingMax: see(palette.red),
    bashMode: green,
  };
}

const hex = (value: number): Color => rgbColor(value >> 16, (value >> 8) & 255, value & 255);

export const DARK_PALETTE: Palette = {
  background: hex(0x16181d),
  foreground: hex(0xd7dae0),
  red: hex(0xe5707a),
  green: hex(0x8fbf6f),
  yellow: hex(0xd9b36a),
  blue: hex(0x6ea8e6),
  magenta: hex(0xc18be0),
  cyan: hex(0x5fbfb5),
};

export const LIGHT_PALETTE: Palette = {
  background: hex(0xfbfaf7),
  foreground: hex(0x2b2f36),
  red: hex(0xb3303c),
  green: hex(0x3f7a2a),
  yellow: hex(0x8a6100),
  blue: hex(0x1f62b0),
  magenta: hex(0x8a3fb0),
  cyan: hex(0x0d7470),
};

/** The palette of a terminal that told all of it. */
export function terminalPalette({ background, foreground, palette }: TerminalColors): Palette | undefined {
  if (!background || !palette || palette.length < 8) return undefined;
  const of = (color: RgbColor | undefined) => rgbColor(color?.r ?? 0, color?.g ?? 0, color?.b ?? 0);
  const [, red, green, yellow, blue, magenta, cyan, white] = palette.map(of) as Color[];
  if (!red || !green || !yellow || !blue || !magenta || !cyan || !white) return undefined;
  const back = of(background);
  return { background: back, foreground: foreground ? of(foreground) : white, red, green, yellow, blue, magenta, cyan };
}

export function appearanceOf(background: Color): ThemeAppearance {
  return luminance(background) > 0.18 ? "light" : "dark";
}

/** What can be relied on when the terminal tells nothing: its own sixteen colours, and no panels. */
export function ansiColors(): ThemeColors {
  const [red, green, yellow, blue, magenta, cyan] = [1, 2, 3, 4, 5, 6].map((index) => indexedColor(index)) as Color[];
  const all = deriveColors(DARK_PALETTE, { ownText: true });
  const values: Partial<Record<ThemeToken, ThemeValue | undefined>> = {
    accent: cyan,
    border: blue,
    borderAccent: cyan,
    success: green,
    error: red,
    warning: yellow,
    customMessageLabel: magenta,
    mdHeading: yellow,
    mdLink: blue,
    mdCode: cyan,
    mdCodeBlock: green,
    mdListBullet: cyan,
    toolDiffAdded: green,
    toolDiffRemoved: red,
    syntaxKeyword: magenta,
    syntaxFunction: blue,
    syntaxString: green,
    syntaxNumber: yellow,
    syntaxType: cyan,
    thinkingLow: blue,
    thinkingMedium: cyan,
    thinkingHigh: magenta,
    thinkingXhigh: yellow,
    thinkingMax: red,
    bashMode: green,
  };
  const entries = Object.entries(all).map(([token, value]): [string, ThemeValue] => {
    const own = values[token as ThemeToken];
    if (own !== undefined) return [token, own];
    return [token, token.endsWith("Bg") || value === "" ? "" : "faint"];
  });
  return { ...Object.fromEntries(entries), searchMatchText: "" } as unknown as ThemeColors;
}
