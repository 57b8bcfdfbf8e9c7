/**
 * Values that a session must not begin with when they are wrong: limits of time and of tokens, which no other value may
 * silently take the place of. Pure. Source: cli-and-config.md section 4.1.
 */
import { kindOf, matches, schemaOf, wanted } from "./schema-match.js";
import type { Settings } from "./settings.js";
import { type SettingSchema, settingsSchema } from "./settings-schema.js";

export interface WrongSetting {
  /** From the root of the file. */
  path: readonly string[];
  /** `Invalid httpIdleTimeoutMs setting: soon`. */
  message: string;
  /** `a number of at least 0 or "disabled"`. */
  expected: string;
}

/** All wrong values among those whose schema says `onWrong: stop`. */
export function wrongSettings(settings: Settings): WrongSetting[] {
  return wrongBelow([], settings, settingsSchema, false);
}

/** How a wrong value is said. @param name as in `compaction.modelOverrides["a/b"].reserveTokens` */
export function wrongValueText(name: string, value: unknown, schema: SettingSchema): string {
  const said = typeof value === "object" ? JSON.stringify(value) : String(value);
  const isCount = schema.maximum === Number.MAX_SAFE_INTEGER;
  return `Invalid ${name} setting: ${said}${isCount ? ". Expected a non-negative safe integer." : ""}`;
}

function wrongBelow(path: readonly string[], value: unknown, schema: SettingSchema, isStrict: boolean): WrongSetting[] {
  if (value === undefined) return [];
  const counts = isStrict || schema.onWrong === "stop";
  if (schema.type === "object" && kindOf(value) === "object") {
    return Object.entries(value as object).flatMap(([key, member]) =>
      wrongBelow([...path, key], member, schemaOf(key, schema) ?? {}, counts),
    );
  }
  if (!counts || matches(value, schema)) return [];
  return [{ path, message: wrongValueText(nameOf(path), value, schema), expected: wanted(schema) }];
}

/** Names are joined by points; what is no name, as `provider/model`, stands in brackets. */
function nameOf(path: readonly string[]): string {
  return path
    .map((key, index) => (index === 0 ? key : /^\w+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`))
    .join("");
}
