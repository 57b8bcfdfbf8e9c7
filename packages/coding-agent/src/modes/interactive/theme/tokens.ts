import type { ThemeBg, ThemeColor, ThemeToken } from "../../../core/extensions/types/theme.js";

export type { ThemeAppearance, ThemeBg, ThemeColor, ThemeToken } from "../../../core/extensions/types/theme.js";

/** Names of the colours that a theme gives. Source: tui.md section B8. */
export const BACKGROUND_TOKENS = [
  "selectedBg",
  "searchMatchBg",
  "userMessageBg",
  "customMessageBg",
  "toolPendingBg",
  "toolSuccessBg",
  "toolErrorBg",
] as const satisfies readonly ThemeBg[];

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
] as const satisfies readonly ThemeColor[];

export const THEME_TOKENS: readonly ThemeToken[] = [...BACKGROUND_TOKENS, ...FOREGROUND_TOKENS];

/** Tokens that a file may leave out, and what stands in for them. */
export const TOKEN_FALLBACKS: Partial<Record<ThemeToken, ThemeToken>> = {
  scrollbarTrack: "muted",
  scrollbarThumb: "text",
  searchMatchBg: "selectedBg",
  searchMatchText: "text",
  thinkingMax: "thinkingXhigh",
};

export function isBackgroundToken(token: string): token is ThemeBg {
  return (BACKGROUND_TOKENS as readonly string[]).includes(token);
}
