/** Keeps values of another type than their key wants away from everybody who reads settings. Pure. */
import { kindOf, matches, schemaOf, wanted } from "./schema-match.js";
import type { Settings } from "./settings.js";
import { type SettingSchema, settingsSchema } from "./settings-schema.js";

/** The settings without the values that cannot be used, and what was left out, in words for the user. */
export function checkedSettings(value: Record<string, unknown>): { settings: Settings; problems: string[] } {
  const problems: string[] = [];
  return { settings: checked("", value, settingsSchema, problems) as Settings, problems };
}

/** The value as far as it can be used; undefined when it cannot. */
function checked(at: string, value: unknown, schema: SettingSchema, problems: string[]): unknown {
  // Those that end the start are looked at then: see strict-settings.ts.
  if (schema.onWrong === "stop") return value;
  if (kindOf(value) === "object" && schema.type === "object") {
    return checkedObject(at, value as object, schema, problems);
  }
  if (matches(value, schema)) return value;
  problems.push(`${JSON.stringify(at)}: expected ${wanted(schema)}, got ${valueAsSaid(value, schema)}`);
  return undefined;
}

/** Members that cannot be used are left out one by one, so that a mistake costs no more than itself. */
function checkedObject(at: string, value: object, schema: SettingSchema, problems: string[]): object {
  const entries = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
    // Keys that nobody here knows are passed on.
    const memberSchema = schemaOf(key, schema);
    const result = memberSchema ? checked(at === "" ? key : `${at}.${key}`, member, memberSchema, problems) : member;
    return result === undefined ? [] : [[key, result]];
  });
  return Object.fromEntries(entries);
}

/** A text where other texts are allowed is quoted, a number where numbers are; everything else is named by its kind. */
function valueAsSaid(value: unknown, schema: SettingSchema): string {
  const kind = kindOf(value);
  const expected = wanted(schema);
  if (kind === "array" && expected.startsWith("an array")) return "an array of something else";
  if (kind === "number" && /\d/.test(expected)) return String(value);
  return kind === "string" && expected.includes('"') ? JSON.stringify((value as string).slice(0, 60)) : kind;
}
