/** What extensions know of a theme: names of colours, and how text gets them. Source: tui.md B8. */
export type { Theme } from "../../themes/theme.js";
export type { ThemeAppearance, ThemeBg, ThemeColor, ThemeStyle, ThemeToken } from "../../themes/tokens.js";
