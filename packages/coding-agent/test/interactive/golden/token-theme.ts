import { THEME_TOKENS } from "../../../src/core/themes/tokens.js";

const name = "tokens";

/** A theme in which each token has a colour of its own, so that a screen tells which token was used where. */
export const tokenTheme = {
  name,
  json: JSON.stringify({
    name,
    colors: Object.fromEntries(THEME_TOKENS.map((token, at) => [token, `#${(at + 1).toString(16).padStart(6, "0")}`])),
  }),
};

/** The token of a colour of the theme, or the colour when it is none. */
export function tokenOf(color: number): string {
  return THEME_TOKENS[color - 1] ?? `#${color.toString(16).padStart(6, "0")}`;
}
