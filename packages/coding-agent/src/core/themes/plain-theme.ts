import { type Ink, Theme, type ThemeColors } from "./theme.js";
import { THEME_TOKENS } from "./tokens.js";

const noInk: Ink = { mode: "256color", foreground: () => "", background: () => "", style: (text) => text };

/** The theme of modes without a screen: every name is known, no text is changed. */
export const plainTheme = new Theme(
  Object.fromEntries(THEME_TOKENS.map((token) => [token, ""])) as Record<string, ""> as ThemeColors,
  noInk,
  { name: "plain" },
);
