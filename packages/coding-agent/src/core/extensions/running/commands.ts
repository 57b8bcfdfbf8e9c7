/** Names and keys of several extensions, side by side. Source: extensions.md sections 1.5, 4.3, 4.4. */
import type { KeyId } from "@earendil-works/pi-tui";
import type { ExtensionShortcut, RegisteredCommand, ResolvedCommand } from "../types/commands.js";
import type { Extension } from "../types/host.js";

/** Commands of one name get numbers in load order; a number whose name is taken is skipped. */
export function resolveCommands(extensions: readonly Extension[]): ResolvedCommand[] {
  const commands = extensions.flatMap((extension) => [...extension.commands.values()]);
  const counts = new Map<string, number>();
  for (const { name } of commands) counts.set(name, (counts.get(name) ?? 0) + 1);
  const taken = new Set([...counts].filter(([, count]) => count === 1).map(([name]) => name));
  const last = new Map<string, number>();
  return commands.map((command) => resolved(command, invocationName(command.name)));

  function invocationName(name: string): string {
    if (counts.get(name) === 1) return name;
    let number = last.get(name) ?? 0;
    let candidate: string;
    do candidate = `${name}:${++number}`;
    while (taken.has(candidate));
    last.set(name, number);
    taken.add(candidate);
    return candidate;
  }
}

function resolved(command: RegisteredCommand, invocationName: string): ResolvedCommand {
  return { ...command, invocationName };
}

/** `/name args`: the name up to the first space, and everything after that one space as it is. */
export function parseCommand(text: string): { name: string; args: string } | undefined {
  if (!text.startsWith("/")) return undefined;
  const space = text.indexOf(" ");
  return space < 0 ? { name: text.slice(1), args: "" } : { name: text.slice(1, space), args: text.slice(space + 1) };
}

/** Keys that stay with the program: actions nobody can do without. */
export const reservedActions: readonly string[] = [
  ...["app.interrupt", "app.clear", "app.exit", "app.suspend", "app.thinking.cycle", "app.thinking.toggle"],
  ...["app.model.cycleForward", "app.model.cycleBackward", "app.model.select", "app.tools.expand"],
  ...["app.editor.external", "app.message.copy", "app.message.followUp"],
  ...["tui.input.submit", "tui.input.copy", "tui.select.confirm", "tui.select.cancel", "tui.editor.deleteToLineEnd"],
];

/** Which keys the program uses: an action id with its keys, as `getEffectiveConfig` of the keybindings gives them. */
export type EffectiveKeys = Readonly<Record<string, KeyId | readonly KeyId[] | undefined>>;

export interface ResolvedShortcuts {
  shortcuts: Map<KeyId, ExtensionShortcut>;
  warnings: { path: string; warning: string }[];
}

/** The last extension that wants a key has it, unless the program keeps the key. */
export function resolveShortcuts(extensions: readonly Extension[], keys: EffectiveKeys = {}): ResolvedShortcuts {
  const users = actionsByKey(keys);
  const shortcuts: ResolvedShortcuts["shortcuts"] = new Map();
  const warnings: ResolvedShortcuts["warnings"] = [];
  for (const { path, shortcuts: own } of extensions) {
    for (const [given, shortcut] of own) {
      const key = given.toLowerCase() as KeyId;
      const actions = users.get(key) ?? [];
      const name = `Extension shortcut '${given}' from ${path}`;
      if (actions.some((action) => reservedActions.includes(action))) {
        warnings.push({ path, warning: `${name} conflicts with built-in shortcut. Skipping.` });
        continue;
      }
      if (actions.length > 0) warnings.push({ path, warning: `${name} takes the key of ${actions.join(", ")}.` });
      const earlier = shortcuts.get(key);
      if (earlier) warnings.push({ path, warning: `${name} takes the key from ${earlier.extensionPath}.` });
      shortcuts.set(key, shortcut);
    }
  }
  return { shortcuts, warnings };
}

function actionsByKey(keys: EffectiveKeys): Map<string, string[]> {
  const users = new Map<string, string[]>();
  for (const [action, given] of Object.entries(keys)) {
    for (const key of given === undefined ? [] : [given].flat()) {
      const name = String(key).toLowerCase();
      users.set(name, [...(users.get(name) ?? []), action]);
    }
  }
  return users;
}
