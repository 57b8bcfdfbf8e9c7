/** Tolerant readers for untrusted JSON: a wrong type reads as empty, never as an exception. */

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function objectsOf(value: unknown): JsonObject[] {
  return listOf(value).filter(isObject);
}

export function stringOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The parsed value, or the text itself when it is not JSON. */
export function parsedOrText(text: unknown): unknown {
  if (typeof text !== "string") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The object that the text denotes; undefined when it denotes none. */
export function parsedObject(text: string): JsonObject | undefined {
  const value = parsedOrText(text);
  return isObject(value) ? value : undefined;
}
