import {
  type Keybinding,
  type KeybindingDefinition,
  type KeybindingDefinitions,
  TUI_KEYBINDINGS,
} from "./default-bindings.js";
import type { KeyId } from "./key-id.js";
import { matchesKey } from "./keys.js";

/** The user's choices by action id; an empty list leaves an action without a key. */
export type KeybindingsConfig = Record<string, KeyId | KeyId[] | undefined>;

/** A key that the user gave to more than one action. */
export interface KeybindingConflict {
  key: KeyId;
  keybindings: string[];
}

/**
 * Which keys an action has: what the user chose, else the defaults. A choice replaces the defaults of that action only;
 * other actions keep a key they share with it.
 */
export class KeybindingsManager {
  private resolved: ReadonlyMap<string, readonly KeyId[]> = new Map();

  constructor(
    private readonly definitions: KeybindingDefinitions,
    private userBindings: KeybindingsConfig = {},
  ) {
    this.resolve();
  }

  /** True when the input is a key of the action. */
  matches(data: string, id: Keybinding): boolean {
    return this.resolved.get(id)?.some((key) => matchesKey(data, key)) ?? false;
  }

  /** Keys of the action, the first is the one to show. */
  getKeys(id: Keybinding): KeyId[] {
    return [...(this.resolved.get(id) ?? [])];
  }

  getDefinition(id: Keybinding): KeybindingDefinition | undefined {
    return this.definitions[id];
  }

  /** Keys that the user gave to several actions. Defaults that share a key are meant to. */
  getConflicts(): KeybindingConflict[] {
    const users = new Map<KeyId, string[]>();
    for (const [id, keys] of Object.entries(this.userBindings)) {
      if (!(id in this.definitions)) continue;
      for (const key of asList(keys)) users.set(key, [...(users.get(key) ?? []), id]);
    }
    return [...users].filter(([, ids]) => ids.length > 1).map(([key, keybindings]) => ({ key, keybindings }));
  }

  setUserBindings(bindings: KeybindingsConfig): void {
    this.userBindings = bindings;
    this.resolve();
  }

  getUserBindings(): KeybindingsConfig {
    return { ...this.userBindings };
  }

  /** Keys of all actions. */
  getResolvedBindings(): KeybindingsConfig {
    return Object.fromEntries([...this.resolved].map(([id, keys]) => [id, [...keys]]));
  }

  private resolve(): void {
    this.resolved = new Map(
      Object.entries(this.definitions).map(([id, { defaultKeys }]) => {
        const chosen = this.userBindings[id];
        return [id, [...new Set(asList(chosen === undefined ? defaultKeys : chosen))]];
      }),
    );
  }
}

function asList(keys: KeyId | KeyId[] | undefined): KeyId[] {
  return keys === undefined ? [] : Array.isArray(keys) ? keys : [keys];
}

let current: KeybindingsManager | undefined;

/** Makes these the bindings that all components use. */
export function setKeybindings(manager: KeybindingsManager): void {
  current = manager;
}

/** The bindings in use; the defaults until somebody sets others. */
export function getKeybindings(): KeybindingsManager {
  current ??= new KeybindingsManager(TUI_KEYBINDINGS);
  return current;
}

/** Where the page keys lead in a list; undefined when the input is neither of them. */
export function getSelectPageIndex(
  keybindings: KeybindingsManager,
  data: string,
  selectedIndex: number,
  itemCount: number,
  pageSize: number,
): number | undefined {
  const step = keybindings.matches(data, "tui.select.pageUp")
    ? -pageSize
    : keybindings.matches(data, "tui.select.pageDown")
      ? pageSize
      : undefined;
  return step === undefined ? undefined : Math.max(0, Math.min(itemCount - 1, selectedIndex + step));
}
