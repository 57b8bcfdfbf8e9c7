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
