/** A theme file, from text to colours. Pure. Source: tui.md section B8. */
import { type Color, parseColor } from "@earendil-works/pi-tui";
import type { ThemeColors, ThemeValue } from "./theme.js";
import { THEME_TOKENS, type ThemeAppearance, type ThemeToken, TOKEN_FALLBACKS } from "./tokens.js";

export interface ParsedTheme {
  name: string;
  appearance?: ThemeAppearance;
  colors: ThemeColors;
}

const MEMBERS = ["$schema", "name", "appearance", "vars", "colors", "export"];
const EXPORT_MEMBERS = ["pageBg", "cardBg", "infoBg"];

/**
 * @param label what messages call the theme
 * @throws `Invalid theme "<label>":` with everything that is wrong with it
 */
export function parseTheme(text: string, label: string): ParsedTheme {
  const problems: string[] = [];
  const value = parsed(text, problems);
  const name = value["name"];
  if (typeof name !== "string" || name === "" || name.includes("/") || name === "system") {
    problems.push('name: a text without "/" that is not "system"');
  }
  for (const key of Object.keys(value)) if (!MEMBERS.includes(key)) problems.push(`Unknown key: ${key}`);
  const { appearance } = value as { appearance?: unknown };
  if (appearance !== undefined && appearance !== "dark" && appearance !== "light") {
    problems.push('appearance: "dark" or "light"');
  }
  for (const key of Object.keys(objectOf(value["export"], "export", problems))) {
    if (!EXPORT_MEMBERS.includes(key)) problems.push(`Unknown key: export.${key}`);
  }
  const vars = objectOf(value["vars"], "vars", problems);
  const given = objectOf(value["colors"], "colors", problems);
  for (const key of Object.keys(given)) {
    if (!(THEME_TOKENS as readonly string[]).includes(key)) problems.push(`Unknown color token: ${key}`);
  }
  const missing = THEME_TOKENS.filter((token) => given[token] === undefined && TOKEN_FALLBACKS[token] === undefined);
  if (missing.length > 0) problems.push(`Missing required color tokens: ${missing.join(", ")}`);
  const colors: Partial<Record<ThemeToken, ThemeValue>> = {};
  for (const token of THEME_TOKENS) {
    const written = writtenValue(token, given);
    if (written === undefined) continue;
    try {
      colors[token] = resolved(written, vars, []);
    } catch (error) {
      problems.push(`colors.${token}: ${(error as Error).message}`);
    }
  }
  if (problems.length > 0)
    throw new Error(`Invalid theme "${label}":\n${problems.map((one) => `- ${one}`).join("\n")}`);
  return {
    name: name as string,
    ...(appearance !== undefined && { appearance: appearance as ThemeAppearance }),
    colors: colors as ThemeColors,
  };
}

function writtenValue(token: ThemeToken, given: Record<string, unknown>): unknown {
  const fallback = TOKEN_FALLBACKS[token];
  return given[token] ?? (fallback === undefined ? undefined : writtenValue(fallback, given));
}

function parsed(text: string, problems: string[]): Record<string, unknown> {
  try {
    return objectOf(JSON.parse(text.replace(/^\uFEFF/, "")), "theme", problems);
  } catch (error) {
    problems.push(`no JSON: ${(error as Error).message}`);
    return {};
  }
}

function objectOf(value: unknown, at: string, problems: string[]): Record<string, unknown> {
  if (value === undefined) return {};
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  problems.push(`${at}: expected an object`);
  return {};
}

/** A colour as it is written, or the variable it names, through any number of variables. */
function resolved(value: unknown, vars: Record<string, unknown>, seen: readonly string[]): ThemeValue {
  if (value === "") return "";
  if (typeof value === "number") return inRange(value);
  if (typeof value !== "string") throw new Error("expected a color");
  if (Object.hasOwn(vars, value)) {
    if (seen.includes(value)) throw new Error(`variables in a circle: ${[...seen, value].join(" -> ")}`);
    return resolved(vars[value], vars, [...seen, value]);
  }
  try {
    return parseColor(value);
  } catch {
    throw new Error(`neither a color nor a variable: ${value}`);
  }
}

function inRange(value: number): Color {
  if (!Number.isInteger(value) || value < 0 || value > 255) throw new Error(`no color index: ${value}`);
  return parseColor(value);
}
