import type { Settings } from "./settings.js";
import { settingsSchema } from "./settings-schema.js";

export type SettingsScope = "global" | "project";

type Value<K extends keyof Settings> = NonNullable<Settings[K]>;

/** What reading and changing one setting stands on. */
export abstract class SettingsBase {
  /** The effective settings. */
  abstract getSettings(): Settings;

  /** Changes a value at once, and queues the change of the file. `undefined` takes the key away. */
  protected abstract change(path: readonly string[], value: unknown, scope?: SettingsScope): void;

  /** The value that is set, else the default that the schema names. */
  protected value<K extends keyof Settings>(key: K): Value<K> {
    return (this.getSettings()[key] ?? settingsSchema.properties?.[key]?.default) as Value<K>;
  }
}
