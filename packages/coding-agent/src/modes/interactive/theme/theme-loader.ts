import { type FSWatcher, watch } from "node:fs";
import { dirname, join } from "node:path";
import type { TerminalColors } from "@earendil-works/pi-tui";
import { detectColorDepth } from "./color-depth.js";
import { setCurrentTheme } from "./current.js";
import { ansiColors, appearanceOf, DARK_PALETTE, deriveColors, LIGHT_PALETTE, terminalPalette } from "./derive.js";
import { type ColorDepth, Theme } from "./theme.js";
import { readTheme, type ThemeFile, themeFilesIn } from "./theme-files.js";
import type { ThemeAppearance } from "./tokens.js";

export const BUILTIN_THEMES = ["system", "dark", "light"] as const;
const RELOAD_MS = 100;

/** What is known of the terminal's own colours. */
export interface TerminalLook {
  colors?: TerminalColors | undefined;
  /** Reported by `CSI ?997`. */
  scheme?: ThemeAppearance | undefined;
}

/**
 * Which appearance the terminal has: its reported background, else its report of a scheme, else `COLORFGBG`, else dark.
 */
export function terminalAppearance(look: TerminalLook, env: NodeJS.ProcessEnv = process.env): ThemeAppearance {
  const { background } = look.colors ?? {};
  if (background) return appearanceOf({ kind: "rgb", ...background });
  if (look.scheme) return look.scheme;
  const index = Number(/;(\d+)$/.exec(env["COLORFGBG"] ?? "")?.[1] ?? Number.NaN);
  return index === 7 || index === 15 ? "light" : "dark";
}

/** Sets the theme that a setting names, follows the terminal's colours, and reloads the file while it is edited. */
export class ThemeLoader {
  #setting = "system";
  #look: TerminalLook = {};
  #watcher: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #depth: ColorDepth;

  constructor(
    private readonly folders: readonly string[],
    depth: ColorDepth = detectColorDepth(),
  ) {
    this.#depth = depth;
  }

  get setting(): string {
    return this.#setting;
  }

  /** Names that can be chosen. */
  names(): string[] {
    return [...new Set([...BUILTIN_THEMES, ...this.#files().map(({ name }) => name)])];
  }

  /** All of them, with the files of those that have one. */
  list(): { name: string; path?: string }[] {
    return [...BUILTIN_THEMES.map((name) => ({ name })), ...this.#files()];
  }

  /** A theme by its name; undefined for one that is not there, or is not valid. */
  find(name: string): Theme | undefined {
    try {
      return this.#make(name);
    } catch {
      return undefined;
    }
  }

  /**
   * Sets a theme by its name, or by `lightName/darkName`.
   * @returns what is wrong with it: the system's theme is set then
   */
  use(setting: string, look: TerminalLook = this.#look): string | undefined {
    this.#setting = setting;
    this.#look = look;
    const appearance = terminalAppearance(look);
    const [light = "", dark] = setting.split("/");
    const name = dark === undefined ? setting : appearance === "light" ? light : dark;
    try {
      setCurrentTheme(this.#make(name));
      this.#watchFile(name);
      return undefined;
    } catch (error) {
      setCurrentTheme(this.#make("system"));
      return (error as Error).message;
    }
  }

  /** What the terminal said about its colours. */
  setLook(look: TerminalLook): void {
    this.use(this.#setting, { ...this.#look, ...look });
  }

  close(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
    clearTimeout(this.#timer);
  }

  #make(name: string): Theme {
    const appearance = terminalAppearance(this.#look);
    const coarse = this.#depth === "256color";
    if (name === "dark" || name === "light") {
      const palette = name === "dark" ? DARK_PALETTE : LIGHT_PALETTE;
      return new Theme(deriveColors(palette, { coarse }), this.#depth, { name, appearance: name });
    }
    if (name === "system") {
      const palette = terminalPalette(this.#look.colors ?? {});
      const exact = palette && (this.#depth === "truecolor" || coarse);
      const colors = exact ? deriveColors(palette, { ownText: true, coarse }) : ansiColors();
      return new Theme(colors, this.#depth, { name, appearance });
    }
    const file = this.#files().find((one) => one.name === name);
    if (!file) throw new Error(`No theme is called "${name}". There are: ${this.names().join(", ")}.`);
    const theme = readTheme(file);
    return new Theme(theme.colors, this.#depth, {
      name: theme.name,
      appearance: theme.appearance ?? appearance,
      sourcePath: file.path,
    });
  }

  #files(): ThemeFile[] {
    return this.folders.flatMap(themeFilesIn);
  }

  /** Its folder, because editors put a new file in the place of the old one. */
  #watchFile(name: string): void {
    this.#watcher?.close();
    this.#watcher = undefined;
    const file = this.#files().find((one) => one.name === name);
    if (!file || (BUILTIN_THEMES as readonly string[]).includes(name)) return;
    try {
      this.#watcher = watch(dirname(file.path), { persistent: false }, () => {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#reload(name), RELOAD_MS);
        this.#timer.unref();
      });
      this.#watcher.on("error", () => this.#watcher?.close());
    } catch {
      // A system without watching: the theme is read again with /reload.
    }
  }

  #reload(name: string): void {
    try {
      setCurrentTheme(this.#make(name));
    } catch {
      // Half an edit: the theme stays until the file is whole.
    }
  }
}

/** Where themes of the user are. */
export function userThemeFolder(agentDir: string): string {
  return join(agentDir, "themes");
}
