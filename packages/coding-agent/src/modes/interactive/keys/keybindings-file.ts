import { join } from "node:path";
import { type KeybindingsConfig, KeybindingsManager, type KeyId, TUI_KEYBINDINGS } from "@earendil-works/pi-tui";
import { jsonProblem, jsonProblemText } from "../../../core/storage/json-problem.js";
import { readTextIfExists, reasonOf } from "../../../core/storage/read-text.js";
import { APP_KEYBINDINGS, currentActionName } from "./app-bindings.js";

const DEFINITIONS = { ...TUI_KEYBINDINGS, ...APP_KEYBINDINGS };

/** All actions with the keys of `<agentDir>/keybindings.json` laid over the defaults. */
export class AppKeybindings extends KeybindingsManager {
  readonly #path: string;
  /** Why the file is not used, if it is not. */
  error: string | undefined;

  constructor(agentDir: string) {
    super(DEFINITIONS);
    this.#path = join(agentDir, "keybindings.json");
    this.reload();
  }

  reload(): void {
    const { bindings, error } = readBindings(this.#path);
    this.error = error;
    this.setUserBindings(bindings);
  }

  getEffectiveConfig(): KeybindingsConfig {
    return this.getResolvedBindings();
  }

  /** Everything that has keys, in order of its name. */
  actions(): { id: string; keys: KeyId[]; description: string }[] {
    return Object.entries(DEFINITIONS).map(([id, { description }]) => {
      const keys = this.getResolvedBindings()[id];
      return { id, keys: Array.isArray(keys) ? keys : keys ? [keys] : [], description: description ?? "" };
    });
  }
}

function readBindings(path: string): { bindings: KeybindingsConfig; error?: string } {
  try {
    const text = readTextIfExists(path);
    // Most users have no such file.
    if (text === undefined) return { bindings: {} };
    const problem = jsonProblem(text);
    if (problem) throw new Error(jsonProblemText(problem));
    return { bindings: bindingsOf(JSON.parse(text)) };
  } catch (error) {
    return { bindings: {}, error: `${path}: ${reasonOf(error)}. The usual keys are in force until you correct it.` };
  }
}

/** Old names count where there is no new one; what is no key, or no list of them, is left out. */
export function bindingsOf(value: unknown): KeybindingsConfig {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("expected an object");
  const bindings: KeybindingsConfig = {};
  const isKnown = (id: string) => Object.hasOwn(DEFINITIONS, id);
  const byAge = Object.entries(value).sort(([a], [b]) => Number(isKnown(a)) - Number(isKnown(b)));
  for (const [name, keys] of byAge) {
    const id = currentActionName(name, isKnown);
    if (id === undefined) continue;
    if (typeof keys === "string" && keys !== "") bindings[id] = keys as KeyId;
    else if (Array.isArray(keys) && keys.every((key) => typeof key === "string")) bindings[id] = keys as KeyId[];
  }
  return bindings;
}
