import { JsonFile } from "../storage/json-file.js";
import { readSettledText } from "../storage/settled-read.js";
import type { JsonObject } from "./merge.js";
import { migratedSettings } from "./migrate-settings.js";
import type { SettingsScope } from "./settings-base.js";

/** Where the settings of one scope are kept. */
export interface ScopeStore {
  /** Absent: not in a file. */
  readonly path?: string;
  /** The text; undefined when there is none. @throws when it cannot be read */
  read(): string | undefined;
  /** Changes what is kept, as it is now, while nobody else does. */
  modify(change: (current: JsonObject) => JsonObject): Promise<void>;
}

/**
 * Settings of a host, somewhere else than in files: `fn` gets the text of a scope and returns the new one, or undefined
 * to leave it.
 */
export interface SettingsStorage {
  withLock(scope: SettingsScope, fn: (current: string | undefined) => string | undefined): void;
}

/** Age at which a lock of a settings file counts as abandoned. Source: cli-and-config.md section 4.1. */
const lockStaleMs = 10_000;

export function fileStore(path: string): ScopeStore {
  const file = new JsonFile(path, { title: "settings file", staleMs: lockStaleMs });
  return {
    path,
    read: () => readSettledText(path, lockStaleMs),
    modify: (change) => file.modify(async (current) => change(migratedSettings(current))),
  };
}

export function hostStore(storage: SettingsStorage, scope: SettingsScope): ScopeStore {
  return {
    read() {
      let text: string | undefined;
      storage.withLock(scope, (current) => {
        text = current;
        return undefined;
      });
      return text;
    },
    async modify(change) {
      storage.withLock(scope, (current) => {
        const settings = current === undefined || current.trim() === "" ? {} : (JSON.parse(current) as JsonObject);
        return JSON.stringify(change(migratedSettings(settings)), null, 2);
      });
    },
  };
}
