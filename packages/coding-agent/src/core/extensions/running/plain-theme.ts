/** The theme of modes without a screen: every name is known, no text is coloured. */
import type { Theme } from "../types/theme.js";

const plain = (_style: unknown, text: string) => text;
const same = (text: string) => text;

export const plainTheme: Theme = {
  name: "plain",
  appearance: "dark",
  colors: {} as Theme["colors"],
  fg: plain,
  bg: plain,
  style: (text) => text,
  bold: same,
  italic: same,
  underline: same,
  inverse: same,
  strikethrough: same,
  getFgAnsi: () => "",
  getBgAnsi: () => "",
  getColorMode: () => "256color",
  getThinkingBorderColor: () => same,
  getBashModeBorderColor: () => same,
};
