import {
  backgroundAnsi,
  type Color,
  colorToRgb,
  foregroundAnsi,
  indexedColor,
  styleTextWithAnsi,
  type TerminalColorMode,
} from "@earendil-works/pi-tui";
import type { Theme as ThemeContract, ThemeStyle } from "../../../core/extensions/types/theme.js";
import {
  BACKGROUND_TOKENS,
  FOREGROUND_TOKENS,
  type ThemeAppearance,
  type ThemeBg,
  type ThemeColor,
  type ThemeToken,
} from "./tokens.js";

/** A colour, the terminal's own (`""`), or its own made fainter. */
export type ThemeValue = Color | "" | "faint";
export type ThemeColors = Readonly<Record<ThemeToken, ThemeValue>>;
/** What the terminal can show; `none` keeps bold, inverse and the like. */
export type ColorDepth = "none" | "16color" | TerminalColorMode;

export interface ThemeOptions {
  name?: string | undefined;
  appearance?: ThemeAppearance | undefined;
  sourcePath?: string | undefined;
}

const FAINT = "\x1b[2m";

/** The colours of everything that is drawn. `fg` and `bg` take back what they set, and nothing else. */
export class Theme implements ThemeContract {
  readonly name: string | undefined;
  readonly appearance: ThemeAppearance;
  readonly sourcePath: string | undefined;
  readonly #opening = new Map<string, string>();

  /** Undefined: the terminal's own. */
  readonly colors: Readonly<Record<ThemeToken, Color | undefined>>;

  constructor(
    values: ThemeColors,
    private readonly depth: ColorDepth,
    options: ThemeOptions = {},
  ) {
    this.name = options.name;
    this.appearance = options.appearance ?? "dark";
    this.sourcePath = options.sourcePath;
    const own = Object.entries(values).map(([token, value]) => [token, typeof value === "string" ? undefined : value]);
    this.colors = Object.fromEntries(own) as Record<ThemeToken, Color | undefined>;
    for (const token of FOREGROUND_TOKENS) this.#opening.set(token, opening(values[token], depth, "fg"));
    for (const token of BACKGROUND_TOKENS) this.#opening.set(token, opening(values[token], depth, "bg"));
  }

  /** @throws `Unknown theme color: <token>` */
  fg(token: ThemeColor, text: string): string {
    const open = this.#open(token);
    if (open === "" || text === "") return text;
    return open === FAINT ? `${open}${text}\x1b[22m` : `${open}${text}\x1b[39m`;
  }

  /** @throws `Unknown theme color: <token>` */
  bg(token: ThemeBg, text: string): string {
    const open = this.#open(token);
    return open === "" || text === "" ? text : `${open}${text}\x1b[49m`;
  }

  style(text: string, { fg, bg, ...attributes }: ThemeStyle): string {
    const front = fg === undefined ? "" : typeof fg === "string" ? this.#open(fg) : opening(fg, this.depth, "fg");
    const back = bg === undefined ? "" : typeof bg === "string" ? this.#open(bg) : opening(bg, this.depth, "bg");
    const faint = front === FAINT;
    return styleTextWithAnsi(text, faint ? undefined : front || undefined, back || undefined, {
      ...attributes,
      ...(faint && { dim: true }),
    });
  }

  bold(text: string): string {
    return `\x1b[1m${text}\x1b[22m`;
  }

  italic(text: string): string {
    return `\x1b[3m${text}\x1b[23m`;
  }

  underline(text: string): string {
    return `\x1b[4m${text}\x1b[24m`;
  }

  inverse(text: string): string {
    return `\x1b[7m${text}\x1b[27m`;
  }

  strikethrough(text: string): string {
    return `\x1b[9m${text}\x1b[29m`;
  }

  /** The sequence that begins a colour; empty for the terminal's own. @throws `Unknown theme color: <token>` */
  getFgAnsi(token: ThemeColor): string {
    return this.#open(token);
  }

  /** As `getFgAnsi`, for what is behind the text. */
  getBgAnsi(token: ThemeBg): string {
    return this.#open(token);
  }

  getColorMode(): TerminalColorMode {
    return this.depth === "truecolor" ? "truecolor" : "256color";
  }

  getThinkingBorderColor(level: string): (text: string) => string {
    const token = `thinking${level[0]?.toUpperCase()}${level.slice(1)}` as ThemeColor;
    return (text) => this.fg(token, text);
  }

  getBashModeBorderColor(): (text: string) => string {
    return (text) => this.fg("bashMode", text);
  }

  #open(token: string): string {
    const open = this.#opening.get(token);
    if (open === undefined) throw new Error(`Unknown theme color: ${token}`);
    return open;
  }
}

function opening(value: ThemeValue, depth: ColorDepth, side: "fg" | "bg"): string {
  if (value === "") return "";
  if (value === "faint") return side === "fg" ? FAINT : "";
  if (depth === "none") return "";
  if (depth === "16color") {
    // Panels of one of sixteen colours would shout, and text on them could not be relied on.
    return side === "bg" ? "" : foregroundAnsi(nearestOfSixteen(value), "256color");
  }
  return side === "fg" ? foregroundAnsi(value, depth) : backgroundAnsi(value, depth);
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
