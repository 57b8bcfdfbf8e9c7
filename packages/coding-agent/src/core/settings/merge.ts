/** Settings over settings. Pure. Source: cli-and-config.md section 4.1. */

export type JsonObject = Record<string, unknown>;

/** Objects are merged, everything else is replaced. A value of `undefined` in `over` takes the key away. */
export function mergeSettings(base: JsonObject, over: JsonObject): JsonObject {
  const merged: JsonObject = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key];
    if (value === undefined) delete merged[key];
    else merged[key] = isObject(value) ? mergeSettings(isObject(below) ? below : {}, value) : value;
  }
  return merged;
}

/** `{a: {b: value}}` for the path `["a", "b"]`. */
export function nested(path: readonly string[], value: unknown): JsonObject {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as JsonObject;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
