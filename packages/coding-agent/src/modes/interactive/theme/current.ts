/** The theme in force. One for the process: components of extensions draw with it as ours do. */
import type { Theme } from "../../../core/themes/theme.js";

let current: Theme | undefined;
let version = 0;
const listeners = new Set<() => void>();

/** @throws before `initTheme` */
export function currentTheme(): Theme {
  if (!current) throw new Error("No theme is set. Call initTheme() first.");
  return current;
}

/** Changes with every theme: what was drawn with another one is old. */
export function themeVersion(): number {
  return version;
}

export function setCurrentTheme(theme: Theme): void {
  current = theme;
  version++;
  for (const listener of [...listeners]) listener();
}

/** Hears of every new theme. Returns a function that ends that. */
export function onThemeChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
