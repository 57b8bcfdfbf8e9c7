import { type FSWatcher, readdirSync, watch } from "node:fs";
import { dirname, join } from "node:path";
import type { TerminalColors } from "@earendil-works/pi-tui";
import { loadThemes } from "../../../core/resources/themes.js";
import { readTextIfExists } from "../../../core/storage/read-text.js";
import { detectColorDepth } from "../../../core/themes/color-depth.js";
import { type ColorDepth, terminalInk } from "../../../core/themes/terminal-ink.js";
import { Theme } from "../../../core/themes/theme.js";
import { parseTheme } from "../../../core/themes/theme-json.js";
import { BUILTIN_THEMES, type ThemeAppearance } from "../../../core/themes/tokens.js";
import { setCurrentTheme } from "./current.js";
import { ansiColors, appearanceOf, DARK_PALETTE, deriveColors, LIGHT_PALETTE, terminalPalette } from "./derive.js";

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
  #isMissing = false;
  #themes: () => readonly Theme[];
  #watcher: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #depth: ColorDepth;

  /** @param themes those that are not built in; asked for when one of them is wanted */
  constructor(themes: () => readonly Theme[], depth: ColorDepth = detectColorDepth()) {
    this.#themes = themes;
    this.#depth = depth;
  }

  get setting(): string {
    return this.#setting;
  }

  /** The theme of the setting is not there, or is not valid: the system's is in its place. */
  get isMissing(): boolean {
    return this.#isMissing;
  }

  /** Others can be chosen from now on; the theme in use stays. */
  setThemes(themes: () => readonly Theme[]): void {
    this.#themes = themes;
  }

  /** Names that can be chosen. */
  names(): string[] {
    return this.list().map(({ name }) => name);
  }

  /** All of them, with the files of those that have one. */
  list(): { name: string; path?: string }[] {
    const others = this.#themes().flatMap(({ name, sourcePath }) =>
      name === undefined ? [] : [{ name, ...(sourcePath !== undefined && { path: sourcePath }) }],
    );
    return [...BUILTIN_THEMES.map((name) => ({ name })), ...others];
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
      this.#isMissing = false;
      return undefined;
    } catch (error) {
      this.#isMissing = true;
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
      return new Theme(deriveColors(palette, { coarse }), this.#ink, { name, appearance: name });
    }
    if (name === "system") {
      const palette = terminalPalette(this.#look.colors ?? {});
      const exact = palette && (this.#depth === "truecolor" || coarse);
      const colors = exact ? deriveColors(palette, { ownText: true, coarse }) : ansiColors();
      return new Theme(colors, this.#ink, { name, appearance });
    }
    const found = this.#themes().find((theme) => theme.name === name);
    if (!found) throw new Error(`No theme is called "${name}". There are: ${this.names().join(", ")}.`);
    if (found.sourcePath === undefined) return found;
    const file = parseTheme(readTextIfExists(found.sourcePath) ?? "", name);
    return new Theme(file.colors, this.#ink, {
      name,
      appearance: file.appearance ?? appearance,
      sourcePath: found.sourcePath,
    });
  }

  get #ink() {
    return terminalInk(this.#depth);
  }

  /** Its folder, because editors put a new file in the place of the old one. */
  #watchFile(name: string): void {
    this.#watcher?.close();
    this.#watcher = undefined;
    if ((BUILTIN_THEMES as readonly string[]).includes(name)) return;
    const path = this.#themes().find((theme) => theme.name === name)?.sourcePath;
    if (path === undefined) return;
    try {
      this.#watcher = watch(dirname(path), { persistent: false }, () => {
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

/** Themes in the user's own folder: what there is before a session has said what else. */
export function userThemes(agentDir: string): Theme[] {
  const folder = join(agentDir, "themes");
  const files = namesOf(folder).filter((name) => name.endsWith(".json") && !name.startsWith("."));
  return loadThemes(files.sort().map((name) => join(folder, name))).themes;
}

function namesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // No such folder: there are no themes of the user.
    return [];
  }
}
