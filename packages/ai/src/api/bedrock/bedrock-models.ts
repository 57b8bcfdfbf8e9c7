import type { Model } from "../../types.js";

/** What a model can do, by its name: ids of inference profiles say nothing, but then the display name does. */

export interface ClaudeVersion {
  family: string;
  major: number;
  minor: number;
}

/** The version of a Claude model; undefined for other models. */
export function claudeVersion(model: Pick<Model, "id" | "name">): ClaudeVersion | undefined {
  return parsedVersion(model.id) ?? parsedVersion(model.name);
}

export function isClaude(model: Pick<Model, "id" | "name">): boolean {
  return /claude/i.test(model.id) || /claude/i.test(model.name);
}

/** Models that decide themselves how much they think. */
export function thinksAdaptively(version: ClaudeVersion | undefined): boolean {
  if (!version) return false;
  const { family, major, minor } = version;
  return major >= 5 || (major === 4 && minor >= 6 && (family === "opus" || family === "sonnet"));
}

/** Models that can cache prompts: Claude 3.5 Haiku, 3.7 Sonnet and everything from 4 on. */
export function cachesPrompts(version: ClaudeVersion | undefined): boolean {
  if (!version) return false;
  const { family, major, minor } = version;
  if (major >= 4) return true;
  return major === 3 && ((family === "haiku" && minor === 5) || (family === "sonnet" && minor === 7));
}

/** `claude-opus-4-1-…` of today and `claude-3-7-sonnet-…` of before; a date is no minor version. */
function parsedVersion(name: string): ClaudeVersion | undefined {
  const text = name.toLowerCase().replace(/[\s._]+/g, "-");
  const now = /claude-([a-z]+)-(\d{1,2})(?!\d)(?:-(\d{1,2})(?!\d))?/.exec(text);
  if (now) return version(now[1], now[2], now[3]);
  const before = /claude-(\d)(?!\d)(?:-(\d{1,2})(?!\d))?-([a-z]+)/.exec(text);
  return before ? version(before[3], before[1], before[2]) : undefined;
}

function version(family = "", major = "0", minor = "0"): ClaudeVersion {
  return { family, major: Number(major), minor: Number(minor) };
}
