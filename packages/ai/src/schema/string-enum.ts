/** Schema of a string with a fixed set of values. */
export interface StringEnumSchema<Value extends string> {
  type: "string";
  enum: Value[];
  description?: string;
  default?: Value;
}

/**
 * A schema for a string out of `values`. Written as `enum`, because some providers reject the `anyOf`/`const` form.
 *
 * ```ts
 * StringEnum(["asc", "desc"], { description: "Order", default: "asc" });
 * ```
 */
export function StringEnum<const Values extends readonly string[]>(
  values: Values,
  options: { description?: string; default?: Values[number] } = {},
): StringEnumSchema<Values[number]> {
  const schema: StringEnumSchema<Values[number]> = { type: "string", enum: [...values] };
  if (options.description !== undefined) schema.description = options.description;
  if (options.default !== undefined) schema.default = options.default;
  return schema;
}
