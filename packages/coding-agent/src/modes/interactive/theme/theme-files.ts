import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type ParsedTheme, parseTheme } from "./theme-json.js";

export interface ThemeFile {
  /** Name of the file, without its ending: what settings call the theme. */
  name: string;
  path: string;
}

/** Theme files of a folder by name; none when there is no such folder. */
export function themeFilesIn(folder: string): ThemeFile[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .sort()
      .map((name) => ({ name: basename(name, ".json"), path: join(folder, name) }));
  } catch {
    // No such folder: there are no themes of the user.
    return [];
  }
}

/** @throws `Invalid theme "<label>": …`, and for a file that cannot be read */
export function readTheme({ name, path }: ThemeFile): ParsedTheme {
  return parseTheme(readFileSync(path, "utf8"), name);
}
