/** `@earendil-works/pi-ai` as extensions see it: with the schema builder in it. */
import type { TUnsafe } from "typebox";

export * from "host:pi-ai/compat";
export { type Static, type TSchema, Type } from "typebox";

/** A schema of one of these texts; `Static` of it is their union. */
export declare function StringEnum<const T extends readonly string[]>(
  values: T,
  options?: { description?: string; default?: T[number] },
): TUnsafe<T[number]>;
