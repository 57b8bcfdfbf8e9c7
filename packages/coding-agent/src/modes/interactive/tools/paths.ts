import { isAbsolute, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { getCapabilities, hyperlink } from "@earendil-works/pi-tui";
import { homeFolder } from "../../../config.js";
import type { Theme } from "../../../core/extensions/types/theme.js";
import { unhidden } from "../messages/plain-text.js";

/** The path with the home folder as `~`. */
export function shortPath(path: string, home: string = homeFolder()): string {
  if (home === "" || home === "/") return path;
  if (path === home) return "~";
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

/** A path argument as it is shown; arguments that are still on their way, or wrong, show as such. */
export function pathArgument(value: unknown, theme: Theme, cwd: string, suffix = ""): string {
  if (value === undefined || value === null || value === "") return theme.fg("toolOutput", "...");
  if (typeof value !== "string") return theme.fg("error", "[invalid arg]");
  const shown = theme.fg("accent", unhidden(shortPath(value)).replaceAll("\n", " "));
  const linked = getCapabilities().hyperlinks ? hyperlink(shown, fileUrl(value, cwd)) : shown;
  return linked + (suffix === "" ? "" : theme.fg("warning", suffix));
}

/** Any other argument on one line. */
export function textArgument(value: unknown, theme: Theme): string {
  if (value === undefined || value === null) return theme.fg("toolOutput", "...");
  if (typeof value !== "string") return theme.fg("error", "[invalid arg]");
  return unhidden(value);
}

function fileUrl(path: string, cwd: string): string {
  const home = path.startsWith("~/") ? homeFolder() + path.slice(1) : path;
  return pathToFileURL(isAbsolute(home) ? home : resolve(cwd, home)).href;
}
