import { getKeybindings, type Keybinding } from "@earendil-works/pi-tui";
import { currentTheme } from "../theme/current.js";

const NAMES: Record<string, string> = { pageup: "pageUp", pagedown: "pageDown" };

/** A key as hints show it: lower case, and by the names that keyboards have. */
export function shownKey(key: string): string {
  return key
    .toLowerCase()
    .split("+")
    .map((part) => (part === "alt" && process.platform === "darwin" ? "option" : (NAMES[part] ?? part)))
    .join("+");
}

/** The keys of an action, joined by `/`; empty when it has none. */
export function keyText(id: Keybinding): string {
  return getKeybindings().getKeys(id).map(shownKey).join("/");
}

/** The keys of an action with what they do, in the colours of hints. */
export function keyHint(id: Keybinding, description: string): string {
  return rawKeyHint(keyText(id), description);
}

export function rawKeyHint(key: string, description: string): string {
  const theme = currentTheme();
  return `${theme.fg("dim", key)}${theme.fg("muted", ` ${description}`)}`;
}
