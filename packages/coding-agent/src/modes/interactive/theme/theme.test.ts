import { type Color, colorToRgb, indexedColor, rgbColor } from "@earendil-works/pi-tui";
import { describe, expect, it } from "vitest";
import { plainTheme } from "../../../core/themes/plain-theme.js";
import { type ColorDepth, terminalInk } from "../../../core/themes/terminal-ink.js";
import { Theme } from "../../../core/themes/theme.js";
import { parseTheme } from "../../../core/themes/theme-json.js";
import { BACKGROUND_TOKENS, FOREGROUND_TOKENS, THEME_TOKENS } from "../../../core/themes/tokens.js";
import { contrast } from "./contrast.js";
import { ansiColors, DARK_PALETTE, deriveColors, LIGHT_PALETTE, terminalPalette } from "./derive.js";
import { terminalAppearance } from "./theme-loader.js";

/** Lines and rules are seen, not read. */
const DECORATION = /^border|^scrollbar|^mdQuoteBorder$|^mdHr$|^thinking(?!Text)/;
const text = FOREGROUND_TOKENS.filter((token) => !DECORATION.test(token));

const solarized = {
  background: { r: 0xfd, g: 0xf6, b: 0xe3 },
  foreground: { r: 0x65, g: 0x7b, b: 0x83 },
  palette: [
    ...[0x073642, 0xdc322f, 0x859900, 0xb58900, 0x268bd2, 0xd33682, 0x2aa198, 0xeee8d5],
    ...[0x002b36, 0xcb4b16, 0x586e75, 0x657b83, 0x839496, 0x6c71c4, 0x93a1a1, 0xfdf6e3],
  ].map((value) => ({ r: value >> 16, g: (value >> 8) & 255, b: value & 255 })),
};

/** The colour that a sequence sets. */
function shown(sequence: string, otherwise: Color): Color {
  const rgb = /[34]8;2;(\d+);(\d+);(\d+)m/.exec(sequence);
  if (rgb) return rgbColor(Number(rgb[1]), Number(rgb[2]), Number(rgb[3]));
  const index = /[34]8;5;(\d+)m/.exec(sequence)?.[1];
  return index === undefined ? otherwise : indexedColor(Number(index));
}

describe("built-in palettes", () => {
  const system = terminalPalette(solarized);
  if (!system) throw new Error("the palette is whole");
  const palettes = { dark: DARK_PALETTE, light: LIGHT_PALETTE, "a terminal's own": system };

  it.each(
    Object.keys(palettes).flatMap((name) =>
      (["truecolor", "256color"] as const).map((depth) => [name, depth] as const),
    ),
  )("%s, %s: text stands out by 4.5 from everything it is drawn on", (name, depth) => {
    const palette = palettes[name as keyof typeof palettes];
    const theme = new Theme(deriveColors(palette, { ownText: true, coarse: depth === "256color" }), terminalInk(depth));
    for (const token of text) {
      const front = shown(theme.getFgAnsi(token), palette.foreground);
      for (const back of [undefined, ...BACKGROUND_TOKENS]) {
        const behind = back ? shown(theme.getBgAnsi(back), palette.background) : palette.background;
        expect({ token, back, readable: contrast(front, behind) >= 4.5 }).toEqual({ token, back, readable: true });
      }
    }
  });
});

describe("Theme", () => {
  const of = (depth: ColorDepth) => new Theme(deriveColors(DARK_PALETTE), terminalInk(depth));

  const seen = (value: string) => value.replaceAll("\x1b", "ESC");

  it("takes back only what it set", () => {
    expect(seen(of("truecolor").fg("error", "x"))).toMatch(/^ESC\[38;2;\d+;\d+;\d+mxESC\[39m$/);
    expect(seen(of("truecolor").bg("selectedBg", "x"))).toMatch(/^ESC\[48;2;\d+;\d+;\d+mxESC\[49m$/);
    expect(new Theme(ansiColors(), terminalInk("256color")).fg("muted", "x")).toBe("\x1b[2mx\x1b[22m");
  });

  it("writes no colours without them", () => {
    const theme = of("none");
    for (const token of FOREGROUND_TOKENS) expect(theme.fg(token, "x")).toBe("x");
    for (const token of BACKGROUND_TOKENS) expect(theme.bg(token, "x")).toBe("x");
    expect(theme.style("x", { fg: "accent", bold: true })).toBe("\x1b[1mx\x1b[22m");
  });

  it("uses the sixteen colours, and no panels, where there are no others", () => {
    const theme = of("16color");
    for (const token of FOREGROUND_TOKENS) {
      expect(seen(theme.fg(token, "x"))).toMatch(/^ESC\[(3[0-7]|9[0-7])mxESC\[39m$/);
    }
    expect(theme.fg("error", "x")).toContain("\x1b[31m");
    expect(theme.fg("success", "x")).toContain("\x1b[32m");
    expect(theme.bg("toolErrorBg", "x")).toBe("x");
  });

  it("names a colour it does not have", () => {
    expect(() => of("none").fg("nope" as never, "x")).toThrow("Unknown theme color: nope");
    for (const theme of [of("truecolor"), plainTheme]) {
      expect(() => theme.bg("nope" as never, "x")).toThrow("Unknown theme color: nope");
      expect(() => theme.getFgAnsi("nope" as never)).toThrow("Unknown theme color: nope");
      expect(() => theme.style("x", { bg: "nope" as never })).toThrow("Unknown theme color: nope");
    }
  });

  it.each([
    ["bold", 1, 22],
    ["italic", 3, 23],
    ["underline", 4, 24],
    ["inverse", 7, 27],
    ["strikethrough", 9, 29],
  ] as const)("%s begins and ends an attribute", (name, on, off) => {
    expect(seen(of("truecolor")[name]("x"))).toBe(`ESC[${on}mxESC[${off}m`);
    expect(plainTheme[name]("x")).toBe("x");
  });

  it("styles with its tokens and with other colours, gives sequences, and colours borders", () => {
    const theme = of("truecolor");
    const [front, back] = [theme.getFgAnsi("accent"), theme.getBgAnsi("toolErrorBg")];
    expect(theme.style("x", { fg: "accent", bg: "toolErrorBg", underline: true })).toBe(
      `${front}${back}\x1b[4mx\x1b[24;39;49m`,
    );
    expect(seen(theme.style("x", { fg: rgbColor(1, 2, 3), bg: indexedColor(9) }))).toBe(
      "ESC[38;2;1;2;3mESC[101mxESC[39;49m",
    );
    expect(theme.getThinkingBorderColor("xhigh")("x")).toBe(theme.fg("thinkingXhigh", "x"));
    expect(theme.getBashModeBorderColor()("x")).toBe(theme.fg("bashMode", "x"));
    expect([theme.getColorMode(), of("16color").getColorMode()]).toEqual(["truecolor", "256color"]);
    expect(theme.colors.accent).toBeDefined();
  });

  it("of modes without a screen knows every name and changes no text", () => {
    expect(plainTheme).toBeInstanceOf(Theme);
    for (const token of FOREGROUND_TOKENS) expect(plainTheme.fg(token, "x") + plainTheme.getFgAnsi(token)).toBe("x");
    for (const token of BACKGROUND_TOKENS) expect(plainTheme.bg(token, "x") + plainTheme.getBgAnsi(token)).toBe("x");
    expect(plainTheme.style("x", { fg: "accent", bg: rgbColor(1, 2, 3), bold: true })).toBe("x");
    expect(plainTheme.getThinkingBorderColor("low")("x") + plainTheme.getBashModeBorderColor()("x")).toBe("xx");
  });
});

describe("theme files", () => {
  const colors = Object.fromEntries(THEME_TOKENS.map((token) => [token, "base"]));
  const file = (more: object) => JSON.stringify({ name: "mine", vars: { base: "#102030" }, colors, ...more });

  it("follows variables and fills in optional tokens", () => {
    const { thinkingMax: _, ...rest } = { ...colors, thinkingMax: "", thinkingXhigh: 200 };
    const theme = parseTheme(file({ vars: { base: "other", other: "#102030" }, colors: rest }), "mine");
    expect(colorToRgb(theme.colors.accent as Color)).toEqual({ r: 16, g: 32, b: 48 });
    expect(theme.colors.thinkingMax).toEqual(indexedColor(200));
  });

  it.each([
    ["{", "no JSON"],
    [file({ name: "a/b" }), "name:"],
    [file({ more: 1 }), "Unknown key: more"],
    [file({ colors: {} }), "Missing required color tokens: selectedBg"],
    [file({ colors: { ...colors, accent: "nobody" } }), "neither a color nor a variable: nobody"],
    [file({ vars: { base: "again", again: "base" } }), "variables in a circle: base -> again -> base"],
    [file({ colors: { ...colors, accent: 256 } }), "no color index: 256"],
  ])("says what is wrong: %#", (content, problem) => {
    expect(() => parseTheme(content, "mine")).toThrow(/^Invalid theme "mine":/);
    expect(() => parseTheme(content, "mine")).toThrow(problem);
  });
});

describe("light or dark", () => {
  const light = { background: { r: 250, g: 250, b: 250 } };
  it.each([
    [{ colors: light, scheme: "dark" as const }, {}, "light"],
    [{ scheme: "light" as const }, { COLORFGBG: "15;0" }, "light"],
    [{}, { COLORFGBG: "0;15" }, "light"],
    [{}, { COLORFGBG: "15;0" }, "dark"],
    [{}, {}, "dark"],
  ])("%#", (look, env, appearance) => {
    expect(terminalAppearance(look, env)).toBe(appearance);
  });
});
