import { getKeybindings, type Keybinding } from "@earendil-works/pi-tui";
import { currentTheme } from "../theme/current.js";
import { APP_KEYBINDINGS } from "./app-bindings.js";

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
  const bindings = getKeybindings();
  // Components of hosts may be drawn where only the keys of the library are known.
  const known = bindings.getDefinition(id) ? bindings.getKeys(id) : [APP_KEYBINDINGS[id]?.defaultKeys ?? []].flat();
  return known.map(shownKey).join("/");
}

/** The keys of an action with what they do, in the colours of hints. */
export function keyHint(id: Keybinding, description: string): string {
  return rawKeyHint(keyText(id), description);
}

export function rawKeyHint(key: string, description: string): string {
  const theme = currentTheme();
  return `${theme.fg("dim", key)}${theme.fg("muted", ` ${description}`)}`;
}
