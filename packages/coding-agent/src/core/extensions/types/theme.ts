/** What extensions know of a theme: names of colours, and how text gets them. Source: tui.md B8. */
import type { Color, TerminalColorMode, TextAttributes } from "@earendil-works/pi-tui";

/** Tokens of text. */
export type ThemeColor =
  | ("accent" | "border" | "borderAccent" | "borderMuted" | "success" | "error" | "warning" | "muted" | "dim" | "text")
  | ("thinkingText" | "scrollbarTrack" | "scrollbarThumb" | "searchMatchText" | "userMessageText")
  | ("customMessageText" | "customMessageLabel" | "toolTitle" | "toolOutput")
  | ("mdHeading" | "mdLink" | "mdLinkUrl" | "mdCode" | "mdCodeBlock" | "mdCodeBlockBorder" | "mdQuote")
  | ("mdQuoteBorder" | "mdHr" | "mdListBullet")
  | ("toolDiffAdded" | "toolDiffRemoved" | "toolDiffContext")
  | ("syntaxComment" | "syntaxKeyword" | "syntaxFunction" | "syntaxVariable" | "syntaxString" | "syntaxNumber")
  | ("syntaxType" | "syntaxOperator" | "syntaxPunctuation")
  | ("thinkingOff" | "thinkingMinimal" | "thinkingLow" | "thinkingMedium" | "thinkingHigh" | "thinkingXhigh")
  | ("thinkingMax" | "bashMode");

/** Tokens of what is behind text. */
export type ThemeBg =
  | ("selectedBg" | "searchMatchBg" | "userMessageBg" | "customMessageBg")
  | ("toolPendingBg" | "toolSuccessBg" | "toolErrorBg");

export type ThemeToken = ThemeColor | ThemeBg;
export type ThemeAppearance = "dark" | "light";

export interface ThemeStyle extends TextAttributes {
  fg?: ThemeColor | Color;
  bg?: ThemeBg | Color;
}

/** Colours by name. Works in every mode; text of modes without a screen stays plain. */
export interface Theme {
  readonly name?: string | undefined;
  /** File it was read from. */
  readonly sourcePath?: string | undefined;
  readonly appearance?: ThemeAppearance | undefined;
  readonly colors: Readonly<Record<ThemeToken, Color | undefined>>;
  /** @throws `Unknown theme color: <token>` */
  fg(token: ThemeColor, text: string): string;
  /** @throws `Unknown theme color: <token>` */
  bg(token: ThemeBg, text: string): string;
  style(text: string, style: ThemeStyle): string;
  bold(text: string): string;
  italic(text: string): string;
  underline(text: string): string;
  inverse(text: string): string;
  strikethrough(text: string): string;
  /** The sequence that begins the colour. */
  getFgAnsi(token: ThemeColor): string;
  getBgAnsi(token: ThemeBg): string;
  getColorMode(): TerminalColorMode;
  getThinkingBorderColor(level: string): (text: string) => string;
  getBashModeBorderColor(): (text: string) => string;
}
