import { isObject } from "../json/objects.js";

/** The JSON Schema name of a value's type; `number` for every number. */
export function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}

/** True when the value is of the type a schema names. Unknown names accept nothing. */
export function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case "object":
      return isObject(value);
    case "array":
      return Array.isArray(value);
    case "null":
      return value === null;
    case "integer":
      return Number.isInteger(value);
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    default:
      return typeof value === type;
  }
}

/** The `type` keyword as a list; undefined when absent. */
export function typeList(type: unknown): string[] | undefined {
  if (typeof type === "string") return [type];
  return Array.isArray(type) ? type.filter((item) => typeof item === "string") : undefined;
}
