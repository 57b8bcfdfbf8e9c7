import { type Color, colorToOklch, colorToRgb, foregroundAnsi, indexedColor, oklchColor } from "@earendil-works/pi-tui";

/** Contrast of two colours as WCAG 2 counts it: 1 to 21. */
export function contrast(a: Color, b: Color): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((one, other) => other - one) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

export function luminance(color: Color): number {
  const { r, g, b } = colorToRgb(color);
  const [red, green, blue] = [r, g, b].map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The nearest of the 256 colours, where the terminal has no more. */
export function quantized(color: Color): Color {
  const index = /;5;(\d+)m/.exec(foregroundAnsi(color, "256color"))?.[1];
  return index === undefined ? color : indexedColor(Number(index));
}

/**
 * The colour with the lightness nearest to its own that stands out from all of these by `ratio`, as it is `shown`.
 */
export function fitted(
  color: Color,
  backgrounds: readonly Color[],
  ratio: number,
  shown: (color: Color) => Color = (one) => one,
): Color {
  const { l, c, h } = colorToOklch(color);
  const suits = (candidate: Color) => backgrounds.every((background) => contrast(candidate, background) >= ratio);
  for (let step = 0; step <= 100; step++) {
    for (const lightness of [l + step / 100, l - step / 100]) {
      if (lightness < 0 || lightness > 1) continue;
      // Colours near black and white have little room for chroma.
      const chroma = c * Math.min(1, 4 * Math.min(lightness, 1 - lightness) + 0.1);
      const candidate = shown(oklchColor(lightness, chroma, h));
      if (suits(candidate)) return candidate;
    }
  }
  return luminance(backgrounds[0] ?? color) > 0.18 ? oklchColor(0, 0, 0) : oklchColor(1, 0, 0);
}
