import {
  backgroundAnsi,
  type Color,
  colorToRgb,
  foregroundAnsi,
  indexedColor,
  styleTextWithAnsi,
  type TerminalColorMode,
} from "@earendil-works/pi-tui";
import type { Ink } from "./theme.js";

/** What the terminal can show; `none` keeps bold, inverse and the like. */
export type ColorDepth = "none" | "16color" | TerminalColorMode;

/** Writes colours as a terminal understands them. */
export function terminalInk(depth: ColorDepth): Ink {
  return {
    mode: depth === "truecolor" ? "truecolor" : "256color",
    style: styleTextWithAnsi,
    foreground(color) {
      if (depth === "none") return "";
      return depth === "16color" ? foregroundAnsi(nearestOfSixteen(color), "256color") : foregroundAnsi(color, depth);
    },
    // Panels of one of sixteen colours would shout, and text on them could not be relied on.
    background: (color) => (depth === "none" || depth === "16color" ? "" : backgroundAnsi(color, depth)),
  };
}

/** The terminal decides what the sixteen look like, so only the hue and whether it is grey are carried over. */
function nearestOfSixteen(color: Color): Color {
  if (color.kind === "indexed" && color.index < 16) return color;
  const { r, g, b } = colorToRgb(color);
  const most = Math.max(r, g, b);
  const least = Math.min(r, g, b);
  if (most - least < 40) return indexedColor(most > 120 ? 7 : 8);
  const half = (most + least) / 2;
  return indexedColor((r > half ? 1 : 0) + (g > half ? 2 : 0) + (b > half ? 4 : 0) || 7);
}
