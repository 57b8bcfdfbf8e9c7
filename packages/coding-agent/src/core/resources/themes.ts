/** Loading themes. Source: extensions.md section 9.5. */
import { basename } from "node:path";
import { canonicalFolder } from "../storage/files.js";
import { readTextIfExists } from "../storage/read-text.js";
import { detectColorDepth } from "../themes/color-depth.js";
import { terminalInk } from "../themes/terminal-ink.js";
import { Theme } from "../themes/theme.js";
import { parseTheme } from "../themes/theme-json.js";
import { BUILTIN_THEMES } from "../themes/tokens.js";
import type { ResourceDiagnostic } from "./resource-types.js";

export interface LoadThemesResult {
  themes: Theme[];
  diagnostics: ResourceDiagnostic[];
}

/** Loads theme files: of two with one name the first one counts, and none has the name of a built-in theme. */
export function loadThemes(paths: readonly string[]): LoadThemesResult {
  const diagnostics: ResourceDiagnostic[] = [];
  const byName = new Map<string, Theme>();
  const files = new Set<string>();
  for (const path of paths) {
    const real = canonicalFolder(path);
    if (files.has(real)) continue;
    files.add(real);
    const theme = loadTheme(path, diagnostics);
    if (theme?.name === undefined) continue;
    const winner = byName.get(theme.name);
    if (winner) diagnostics.push(collision(theme.name, winner, path));
    else byName.set(theme.name, theme);
  }
  return { themes: [...byName.values()], diagnostics };
}

function loadTheme(path: string, diagnostics: ResourceDiagnostic[]): Theme | undefined {
  try {
    const { name, colors, appearance } = parseTheme(readTextIfExists(path) ?? "", basename(path));
    if ((BUILTIN_THEMES as readonly string[]).includes(name)) throw new Error(`a theme named "${name}" is built in`);
    return new Theme(colors, terminalInk(detectColorDepth()), { name, appearance, sourcePath: path });
  } catch (error) {
    diagnostics.push({ type: "warning", message: (error as Error).message, path });
    return undefined;
  }
}

function collision(name: string, winner: Theme, loserPath: string): ResourceDiagnostic {
  return {
    type: "collision",
    message: `name "${name}" collision`,
    path: loserPath,
    collision: { resourceType: "theme", name, winnerPath: winner.sourcePath ?? "", loserPath },
  };
}
