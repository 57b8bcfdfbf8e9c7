import { matchesKey } from "@earendil-works/pi-tui";
import type { Desk } from "../desk.js";

/** Says which keys extensions do not get, and which they take. */
export function reportShortcuts(desk: Desk): void {
  const { warnings } = desk.session.extensionRunner.resolveShortcuts(desk.keybindings.getResolvedBindings());
  for (const { warning } of warnings) desk.warning(warning);
}

/** True when the key is one of an extension. */
export function runShortcut({ session, keybindings }: Pick<Desk, "session" | "keybindings">, data: string): boolean {
  const { extensionRunner } = session;
  if (!extensionRunner.hasShortcuts) return false;
  const shortcuts = extensionRunner.getShortcuts(keybindings.getResolvedBindings());
  const shortcut = [...shortcuts.values()].find(({ shortcut: key }) => matchesKey(data, key));
  if (shortcut) void extensionRunner.runShortcut(shortcut);
  return shortcut !== undefined;
}
