import type { ModelThinkingLevel } from "@earendil-works/pi-ai";

/** What a user may ask for, lowest first. Here, and not from the model layer, so that arguments are read without it. */
export const thinkingLevels = [
  "off",
  "minimal",
  "low",
  "medium",
  "high",
  "xhigh",
  "max",
] as const satisfies readonly ModelThinkingLevel[];
