/** Keeps values of another type than their key wants away from everybody who reads settings. Pure. */
import type { Settings } from "./settings.js";
import { type SettingSchema, settingsSchema } from "./settings-schema.js";

/**
 * Checked where they are read instead, with an error: a session must not begin with a wrong one.
 * Source: cli-and-config.md section 4.1.
 */
const strictKeys = new Set([
  "httpIdleTimeoutMs",
  "websocketConnectTimeoutMs",
  "sessionFsync",
  "compaction.reserveTokens",
  "compaction.keepRecentTokens",
  "compaction.modelOverrides",
]);

/** The settings without the values that cannot be used, and what was left out, in words for the user. */
export function checkedSettings(value: Record<string, unknown>): { settings: Settings; problems: string[] } {
  const problems: string[] = [];
  return { settings: checked("", value, settingsSchema, problems) as Settings, problems };
}

/** The value as far as it can be used; undefined when it cannot. */
function checked(at: string, value: unknown, schema: SettingSchema, problems: string[]): unknown {
  if (strictKeys.has(at)) return value;
  if (kindOf(value) === "object" && schema.type === "object") {
    return checkedObject(at, value as object, schema, problems);
  }
  if (matches(value, schema)) return value;
  problems.push(`${JSON.stringify(at)}: expected ${wanted(schema)}, got ${kindAsSaid(value, schema)}`);
  return undefined;
}

/** Members that cannot be used are left out one by one, so that a mistake costs no more than itself. */
function checkedObject(at: string, value: object, schema: SettingSchema, problems: string[]): object {
  const entries = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
    const memberSchema = schemaOf(key, schema);
    const result = memberSchema ? checked(at === "" ? key : `${at}.${key}`, member, memberSchema, problems) : member;
    return result === undefined ? [] : [[key, result]];
  });
  return Object.fromEntries(entries);
}

/** Undefined for keys that nobody here knows: they are passed on. */
function schemaOf(key: string, { properties, additionalProperties }: SettingSchema): SettingSchema | undefined {
  if (properties && Object.hasOwn(properties, key)) return properties[key];
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}

function matches(value: unknown, schema: SettingSchema): boolean {
  if (schema.anyOf) return schema.anyOf.some((one) => matches(value, one));
  if (schema.const !== undefined) return value === schema.const;
  if (schema.enum) return schema.enum.includes(value);
  const kind = kindOf(value);
  if (schema.type !== undefined && ![schema.type].flat().includes(kind)) return false;
  if (kind === "array" && schema.items) return (value as unknown[]).every((item) => matches(item, schema.items ?? {}));
  if (kind !== "object") return true;
  return Object.entries(value as object).every(([key, member]) => matches(member, schemaOf(key, schema) ?? {}));
}

/** `boolean`, `an array of strings`, `"a" or "b"`. */
export function wanted(schema: SettingSchema): string {
  if (schema.anyOf) return list(schema.anyOf.map(wanted));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return list(schema.enum.map((value) => JSON.stringify(value)));
  const types = list([schema.type ?? "anything"].flat());
  if (types !== "array") return types;
  return schema.items?.type === "string" ? "an array of strings" : "an array";
}

function list(items: string[]): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} or ${items.at(-1)}`;
}

/** A text where other texts are allowed is quoted, everything else named by its kind. */
function kindAsSaid(value: unknown, schema: SettingSchema): string {
  const kind = kindOf(value);
  if (kind === "array" && wanted(schema).startsWith("an array")) return "an array of something else";
  return kind === "string" && wanted(schema).includes('"') ? JSON.stringify((value as string).slice(0, 60)) : kind;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return value === null ? "null" : typeof value;
}
