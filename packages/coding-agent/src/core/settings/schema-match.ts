/** Values against their schema. Pure. */
import type { SettingSchema } from "./settings-schema.js";

/** Whether a value is what its key can have. Members that the schema does not know may be anything. */
export function matches(value: unknown, schema: SettingSchema): boolean {
  if (typeof value === "number" && !isWithin(value, schema)) return false;
  if (schema.anyOf) return schema.anyOf.some((one) => matches(value, one));
  if (schema.const !== undefined) return value === schema.const;
  if (schema.enum) return schema.enum.includes(value);
  const kind = kindOf(value);
  if (schema.type !== undefined && ![schema.type].flat().includes(kind)) return false;
  if (kind === "array" && schema.items) return (value as unknown[]).every((item) => matches(item, schema.items ?? {}));
  if (kind !== "object") return true;
  return Object.entries(value as object).every(([key, member]) => matches(member, schemaOf(key, schema) ?? {}));
}

/** Undefined for keys that nobody here knows. */
export function schemaOf(key: string, { properties, additionalProperties }: SettingSchema): SettingSchema | undefined {
  if (properties && Object.hasOwn(properties, key)) return properties[key];
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}

/** `boolean`, `an array of strings`, `"a" or "b"`, `a whole number from 0 to 3`. */
export function wanted(schema: SettingSchema): string {
  if (schema.anyOf) {
    const { minimum, maximum, multipleOf } = schema;
    return list(
      schema.anyOf.map((one) => wanted(one.type === "number" ? { ...one, minimum, maximum, multipleOf } : one)),
    );
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return list(schema.enum.map((value) => JSON.stringify(value)));
  if (schema.type === "number") return numberText(schema);
  const types = list([schema.type ?? "anything"].flat());
  if (types !== "array") return types;
  return schema.items?.type === "string" ? "an array of strings" : "an array";
}

export function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return value === null ? "null" : typeof value;
}

function isWithin(value: number, { minimum = -Infinity, maximum = Infinity, multipleOf }: SettingSchema): boolean {
  return value >= minimum && value <= maximum && (multipleOf === undefined || value % multipleOf === 0);
}

function numberText({ minimum, maximum, multipleOf }: SettingSchema): string {
  const kind = multipleOf === 1 ? "a whole number" : minimum === undefined ? "number" : "a number";
  if (minimum === undefined) return kind;
  // More than any counter or timer holds is no limit to tell of.
  if (maximum === undefined || maximum >= 2 ** 31 - 1) return `${kind} of at least ${minimum}`;
  return maximum - minimum === 1 ? `${minimum} or ${maximum}` : `${kind} from ${minimum} to ${maximum}`;
}

function list(items: string[]): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} or ${items.at(-1)}`;
}
