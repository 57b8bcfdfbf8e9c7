import type { TerminalColorMode } from "../terminal/capabilities.js";
import { type Color, colorToRgb, nearestIndex } from "./color.js";

export interface TextAttributes {
  bold?: boolean;
  dim?: boolean;
  italic?: boolean;
  underline?: boolean;
  inverse?: boolean;
  strikethrough?: boolean;
}

export interface TextStyle extends TextAttributes {
  fg?: Color;
  bg?: Color;
}

/** The sequence that sets the colour of the text. */
export function foregroundAnsi(color: Color, mode: TerminalColorMode): string {
  return colorAnsi(color, mode, 38, 30, 90);
}

/** The sequence that sets the colour behind the text. */
export function backgroundAnsi(color: Color, mode: TerminalColorMode): string {
  return colorAnsi(color, mode, 48, 40, 100);
}

function colorAnsi(color: Color, mode: TerminalColorMode, extended: number, first: number, bright: number): string {
  if (color.kind === "indexed" && color.index < 16) {
    return `\x1b[${color.index < 8 ? first + color.index : bright + color.index - 8}m`;
  }
  if (color.kind === "indexed" || mode === "256color") return `\x1b[${extended};5;${nearestIndex(color)}m`;
  const { r, g, b } = colorToRgb(color);
  return `\x1b[${extended};2;${r};${g};${b}m`;
}

/** Text in a style; what it sets it also takes back, and nothing else. */
export function styleText(text: string, style: TextStyle, mode: TerminalColorMode): string {
  const fg = style.fg && foregroundAnsi(style.fg, mode);
  const bg = style.bg && backgroundAnsi(style.bg, mode);
  return styleTextWithAnsi(text, fg, bg, style);
}

/** Like `styleText`, with the sequences for the colours at hand. */
export function styleTextWithAnsi(
  text: string,
  fg: string | undefined,
  bg: string | undefined,
  attributes: TextAttributes,
): string {
  const { bold, dim, italic, underline, inverse, strikethrough } = attributes;
  const on = [bold && 1, dim && 2, italic && 3, underline && 4, inverse && 7, strikethrough && 9].filter(Boolean);
  const off = [
    ...(bold || dim ? [22] : []),
    ...(italic ? [23] : []),
    ...(underline ? [24] : []),
    ...(inverse ? [27] : []),
    ...(strikethrough ? [29] : []),
    ...(fg ? [39] : []),
    ...(bg ? [49] : []),
  ];
  if (off.length === 0) return text;
  const open = `${fg ?? ""}${bg ?? ""}${on.length > 0 ? `\x1b[${on.join(";")}m` : ""}`;
  return `${open}${text}\x1b[${off.join(";")}m`;
}
