/** Names of the colours that a theme gives. Source: tui.md section B8. */
import type { Color, TextAttributes } from "@earendil-works/pi-tui";

/** Themes that are always there. */
export const BUILTIN_THEMES = ["system", "dark", "light"] as const;

export const BACKGROUND_TOKENS = [
  "selectedBg",
  "searchMatchBg",
  "userMessageBg",
  "customMessageBg",
  "toolPendingBg",
  "toolSuccessBg",
  "toolErrorBg",
] as const;

export const FOREGROUND_TOKENS = [
  ...([
    "accent",
    "border",
    "borderAccent",
    "borderMuted",
    "success",
    "error",
    "warning",
    "muted",
    "dim",
    "text",
  ] as const),
  ...(["thinkingText", "scrollbarTrack", "scrollbarThumb", "searchMatchText", "userMessageText"] as const),
  ...(["customMessageText", "customMessageLabel", "toolTitle", "toolOutput"] as const),
  ...(["mdHeading", "mdLink", "mdLinkUrl", "mdCode", "mdCodeBlock", "mdCodeBlockBorder", "mdQuote"] as const),
  ...(["mdQuoteBorder", "mdHr", "mdListBullet", "toolDiffAdded", "toolDiffRemoved", "toolDiffContext"] as const),
  ...(["syntaxComment", "syntaxKeyword", "syntaxFunction", "syntaxVariable", "syntaxString"] as const),
  ...(["syntaxNumber", "syntaxType", "syntaxOperator", "syntaxPunctuation"] as const),
  ...(["thinkingOff", "thinkingMinimal", "thinkingLow", "thinkingMedium", "thinkingHigh"] as const),
  ...(["thinkingXhigh", "thinkingMax", "bashMode"] as const),
] as const;

/** Tokens of text. */
export type ThemeColor = (typeof FOREGROUND_TOKENS)[number];
/** Tokens of what is behind text. */
export type ThemeBg = (typeof BACKGROUND_TOKENS)[number];
export type ThemeToken = ThemeColor | ThemeBg;
export type ThemeAppearance = "dark" | "light";

export interface ThemeStyle extends TextAttributes {
  fg?: ThemeColor | Color;
  bg?: ThemeBg | Color;
}

export const THEME_TOKENS: readonly ThemeToken[] = [...BACKGROUND_TOKENS, ...FOREGROUND_TOKENS];

/** Tokens that a file may leave out, and what stands in for them. */
export const TOKEN_FALLBACKS: Partial<Record<ThemeToken, ThemeToken>> = {
  scrollbarTrack: "muted",
  scrollbarThumb: "text",
  searchMatchBg: "selectedBg",
  searchMatchText: "text",
  thinkingMax: "thinkingXhigh",
};
