import type { TUnsafe } from "typebox";

/** JSON Schema of a tool's parameters, typed as a TypeBox schema of `T`. */
export type ToolSchema<T> = TUnsafe<T>;

/** The part of JSON Schema that the built-in tools use. */
interface ParameterSchema {
  readonly type: "object" | "array" | "string" | "number" | "boolean";
  readonly description?: string;
  readonly properties?: Readonly<Record<string, ParameterSchema>>;
  readonly required?: readonly string[];
  readonly items?: ParameterSchema;
  readonly additionalProperties?: boolean;
}

/**
 * Types a plain JSON Schema literal as a schema of `T`.
 *
 * TypeBox itself costs a quarter of a second to load, and the tools exist at every start: only its types are used here.
 */
export function toolSchema<T extends object>(
  schema: ParameterSchema & { readonly properties: { readonly [K in keyof Required<T>]: ParameterSchema } },
): ToolSchema<T> {
  return schema as unknown as ToolSchema<T>;
}

/**
 * For programs that call a tool themselves: the loop has validated, and hooks may have changed what it found right.
 *
 * @throws Error in the words of the loop's validation when something required is missing or of another type
 */
export function checkArguments<T>(tool: string, schema: ToolSchema<T>, args: unknown): void {
  const fault = faultOf(schema as unknown as ParameterSchema, args, "");
  if (fault) throw new Error(`Validation failed for tool "${tool}":\n  - ${fault}`);
}

function faultOf(schema: ParameterSchema, value: unknown, path: string): string | undefined {
  const kind = Array.isArray(value) ? "array" : value === null ? "null" : typeof value;
  if (kind !== schema.type) return `${path || "root"}: expected ${schema.type}, got ${kind}`;
  const { items } = schema;
  if (items) return (value as unknown[]).flatMap((item, i) => faultOf(items, item, `${path}.${i}`) ?? [])[0];
  for (const name of schema.required ?? []) {
    const place = path ? `${path}.${name}` : name;
    const member = (value as Record<string, unknown>)[name];
    const wanted = schema.properties?.[name];
    const fault = member === undefined ? `${place}: missing` : wanted && faultOf(wanted, member, place);
    if (fault) return fault;
  }
  return undefined;
}
