import type { Color, TerminalColorMode, TextAttributes } from "@earendil-works/pi-tui";
import {
  BACKGROUND_TOKENS,
  FOREGROUND_TOKENS,
  type ThemeAppearance,
  type ThemeBg,
  type ThemeColor,
  type ThemeStyle,
  type ThemeToken,
} from "./tokens.js";

/** A colour, the terminal's own (`""`), or its own made fainter. */
export type ThemeValue = Color | "" | "faint";
export type ThemeColors = Readonly<Record<ThemeToken, ThemeValue>>;

/** How colours are written. It is given to a theme, which modes without a screen need without a terminal's code. */
export interface Ink {
  readonly mode: TerminalColorMode;
  /** The sequence that begins a colour of text. */
  foreground(color: Color): string;
  /** The sequence that begins a colour behind text. */
  background(color: Color): string;
  /** Text between two sequences and in these attributes; what is set is also taken back, and nothing else. */
  style(text: string, fg: string | undefined, bg: string | undefined, attributes: TextAttributes): string;
}

export interface ThemeOptions {
  name?: string | undefined;
  appearance?: ThemeAppearance | undefined;
  sourcePath?: string | undefined;
}

const FAINT = "\x1b[2m";

/** The colours of everything that is drawn. `fg` and `bg` take back what they set, and nothing else. */
export class Theme {
  readonly name: string | undefined;
  readonly appearance: ThemeAppearance;
  /** File it was read from. */
  readonly sourcePath: string | undefined;
  readonly #ink: Ink;
  readonly #opening = new Map<string, string>();

  /** Undefined: the terminal's own. */
  readonly colors: Readonly<Record<ThemeToken, Color | undefined>>;

  constructor(values: ThemeColors, ink: Ink, options: ThemeOptions = {}) {
    this.#ink = ink;
    this.name = options.name;
    this.appearance = options.appearance ?? "dark";
    this.sourcePath = options.sourcePath;
    const own = Object.entries(values).map(([token, value]) => [token, typeof value === "string" ? undefined : value]);
    this.colors = Object.fromEntries(own) as Record<ThemeToken, Color | undefined>;
    for (const token of FOREGROUND_TOKENS) this.#opening.set(token, this.#foreground(values[token]));
    for (const token of BACKGROUND_TOKENS) this.#opening.set(token, this.#background(values[token]));
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

  /** @throws `Unknown theme color: <token>` */
  style(text: string, { fg, bg, ...attributes }: ThemeStyle): string {
    const front = fg === undefined ? "" : typeof fg === "string" ? this.#open(fg) : this.#foreground(fg);
    const back = bg === undefined ? "" : typeof bg === "string" ? this.#open(bg) : this.#background(bg);
    const faint = front === FAINT;
    return this.#ink.style(text, faint ? undefined : front || undefined, back || undefined, {
      ...attributes,
      ...(faint && { dim: true }),
    });
  }

  bold(text: string): string {
    return this.#ink.style(text, undefined, undefined, { bold: true });
  }

  italic(text: string): string {
    return this.#ink.style(text, undefined, undefined, { italic: true });
  }

  underline(text: string): string {
    return this.#ink.style(text, undefined, undefined, { underline: true });
  }

  inverse(text: string): string {
    return this.#ink.style(text, undefined, undefined, { inverse: true });
  }

  strikethrough(text: string): string {
    return this.#ink.style(text, undefined, undefined, { strikethrough: true });
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
    return this.#ink.mode;
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

  #foreground(value: ThemeValue): string {
    if (value === "faint") return FAINT;
    return value === "" ? "" : this.#ink.foreground(value);
  }

  #background(value: ThemeValue): string {
    return typeof value === "string" ? "" : this.#ink.background(value);
  }
}
