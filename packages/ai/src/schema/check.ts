import { jsonEqual } from "../json/json-equal.js";
import { isObject } from "../json/objects.js";
import { hasFormat } from "./formats.js";
import { isSchema, type PreparedSchema, type Schema } from "./prepared-schema.js";
import { isOfType, typeList, typeName } from "./value-types.js";

/** One thing that is wrong with a value. */
export interface SchemaIssue {
  /** Dotted, `root` when empty. */
  path: string;
  message: string;
}

const NOTHING_ALLOWED = "no value is allowed here";

/**
 * Everything wrong with a value, in schema order. The messages are read by models; texts: llm.md section 8.
 * Keywords of drafts 4 to 2020-12 that describe JSON are supported; unknown keywords are ignored.
 */
export function schemaIssues(prepared: PreparedSchema, schema: Schema, value: unknown): SchemaIssue[] {
  const checker = new Checker(prepared);
  checker.check(schema, value);
  return checker.issues;
}

/** True when nothing is wrong with the value. */
export function matchesSchema(prepared: PreparedSchema, schema: Schema, value: unknown): boolean {
  return schemaIssues(prepared, schema, value).length === 0;
}

class Checker {
  readonly issues: SchemaIssue[] = [];
  readonly #prepared: PreparedSchema;
  readonly #path: (string | number)[] = [];

  constructor(prepared: PreparedSchema) {
    this.#prepared = prepared;
  }

  check(schema: Schema, value: unknown): void {
    if (schema === true) return;
    const reference = schema === false ? undefined : schema["$ref"];
    const target = typeof reference === "string" ? this.#prepared.resolve(reference) : true;
    // A reference that leads nowhere rejects only the value at its place.
    if (schema === false || target === undefined) {
      this.#report(NOTHING_ALLOWED);
      return;
    }
    this.check(target, value);
    const types = typeList(schema["type"]);
    if (types && !types.some((type) => isOfType(value, type))) {
      this.#report(`expected ${types.join(" or ")}, got ${typeName(value)}`);
      return;
    }
    this.#checkChoices(schema, value);
    if (typeof value === "string") this.#checkString(schema, value);
    else if (typeof value === "number") this.#checkNumber(schema, value);
    else if (Array.isArray(value)) this.#checkArray(schema, value);
    else if (isObject(value)) this.#checkObject(schema, value);
    this.#checkCombinations(schema, value);
  }

  #report(message: string): void {
    this.issues.push({ path: this.#path.length === 0 ? "root" : this.#path.join("."), message });
  }

  #at(key: string | number, run: () => void): void {
    this.#path.push(key);
    run();
    this.#path.pop();
  }

  #matches(schema: Schema, value: unknown): boolean {
    return matchesSchema(this.#prepared, schema, value);
  }

  #checkChoices(schema: Record<string, unknown>, value: unknown): void {
    const choices = Array.isArray(schema["enum"]) ? schema["enum"] : "const" in schema ? [schema["const"]] : undefined;
    if (choices && !choices.some((choice) => jsonEqual(choice, value))) {
      this.#report(`expected one of ${JSON.stringify(choices)}`);
    }
  }

  #checkString(schema: Record<string, unknown>, value: string): void {
    const { minLength, maxLength, pattern, format } = schema;
    // Lengths count code points; a text has never more of them than UTF-16 units.
    if (typeof minLength === "number" && codePointCount(value) < minLength) {
      this.#report(`expected at least ${minLength} characters`);
    }
    if (typeof maxLength === "number" && value.length > maxLength && codePointCount(value) > maxLength) {
      this.#report(`expected at most ${maxLength} characters`);
    }
    if (typeof pattern === "string" && this.#prepared.pattern(pattern)?.test(value) === false) {
      this.#report(`expected to match ${pattern}`);
    }
    if (typeof format === "string" && !hasFormat(value, format)) this.#report(`expected format ${format}`);
  }

  #checkNumber(schema: Record<string, unknown>, value: number): void {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
    // Draft 4 wrote exclusive bounds as a boolean beside the bound.
    const above = exclusiveMinimum === true ? minimum : exclusiveMinimum;
    const below = exclusiveMaximum === true ? maximum : exclusiveMaximum;
    if (typeof above === "number" && !(value > above)) this.#report(`expected > ${above}`);
    else if (typeof minimum === "number" && value < minimum) this.#report(`expected >= ${minimum}`);
    if (typeof below === "number" && !(value < below)) this.#report(`expected < ${below}`);
    else if (typeof maximum === "number" && value > maximum) this.#report(`expected <= ${maximum}`);
    if (typeof multipleOf === "number" && multipleOf > 0 && !isMultiple(value, multipleOf)) {
      this.#report(`expected a multiple of ${multipleOf}`);
    }
  }

  #checkArray(schema: Record<string, unknown>, value: unknown[]): void {
    const { minItems, maxItems, uniqueItems, contains } = schema;
    const { tuple, rest } = itemSchemas(schema);
    value.forEach((item, index) => {
      const itemSchema = tuple[index] ?? rest;
      if (isSchema(itemSchema)) this.#at(index, () => this.check(itemSchema, item));
    });
    if (typeof minItems === "number" && value.length < minItems) this.#report(`expected at least ${minItems} items`);
    if (typeof maxItems === "number" && value.length > maxItems) this.#report(`expected at most ${maxItems} items`);
    if (uniqueItems === true && hasDuplicates(value)) this.#report("expected unique items");
    if (isSchema(contains)) {
      const count = value.filter((item) => this.#matches(contains, item)).length;
      const least = typeof schema["minContains"] === "number" ? schema["minContains"] : 1;
      const most = schema["maxContains"];
      if (count < least) this.#report(`expected at least ${least} items`);
      if (typeof most === "number" && count > most) this.#report(`expected at most ${most} items`);
    }
  }

  #checkObject(schema: Record<string, unknown>, value: Record<string, unknown>): void {
    const properties = isObject(schema["properties"]) ? schema["properties"] : {};
    const required = requiredNames(schema);
    for (const [name, property] of Object.entries(properties)) {
      if (!Object.hasOwn(value, name) || value[name] === undefined) {
        if (required.has(name)) this.#at(name, () => this.#report("missing"));
      } else if (isSchema(property)) {
        this.#at(name, () => this.check(property, value[name]));
      }
    }
    for (const name of required) {
      const known = Object.hasOwn(properties, name);
      if (!known && (!Object.hasOwn(value, name) || value[name] === undefined)) {
        this.#at(name, () => this.#report("missing"));
      }
    }
    this.#checkOtherProperties(schema, properties, value);
    const { minProperties, maxProperties } = schema;
    const count = Object.keys(value).length;
    if (typeof minProperties === "number" && count < minProperties) {
      this.#report(`expected at least ${minProperties} properties`);
    }
    if (typeof maxProperties === "number" && count > maxProperties) {
      this.#report(`expected at most ${maxProperties} properties`);
    }
    this.#checkDependencies(schema, value);
  }

  #checkOtherProperties(
    schema: Record<string, unknown>,
    properties: Record<string, unknown>,
    value: Record<string, unknown>,
  ): void {
    const { additionalProperties, propertyNames } = schema;
    const patterns = patternSchemas(this.#prepared, schema);
    if (patterns.length === 0 && !isSchema(additionalProperties) && !isSchema(propertyNames)) return;
    for (const [name, member] of Object.entries(value)) {
      if (isSchema(propertyNames)) this.#at(name, () => this.check(propertyNames, name));
      const matching = patterns.filter(([pattern]) => pattern.test(name));
      for (const [, property] of matching) this.#at(name, () => this.check(property, member));
      if (matching.length > 0 || Object.hasOwn(properties, name)) continue;
      if (additionalProperties === false) this.#at(name, () => this.#report("unknown field"));
      else if (isSchema(additionalProperties)) this.#at(name, () => this.check(additionalProperties, member));
    }
  }

  #checkDependencies(schema: Record<string, unknown>, value: Record<string, unknown>): void {
    for (const keyword of ["dependentRequired", "dependentSchemas", "dependencies"]) {
      const dependencies = schema[keyword];
      if (!isObject(dependencies)) continue;
      for (const [name, dependency] of Object.entries(dependencies)) {
        if (!Object.hasOwn(value, name)) continue;
        if (Array.isArray(dependency)) {
          for (const needed of dependency) {
            if (typeof needed === "string" && !Object.hasOwn(value, needed)) {
              this.#at(needed, () => this.#report("missing"));
            }
          }
        } else if (isSchema(dependency)) this.check(dependency, value);
      }
    }
  }

  #checkCombinations(schema: Record<string, unknown>, value: unknown): void {
    for (const part of schemaList(schema["allOf"])) this.check(part, value);
    const anyOf = schemaList(schema["anyOf"]);
    if (anyOf.length > 0 && !anyOf.some((part) => this.#matches(part, value))) this.#report("matches no alternative");
    const oneOf = schemaList(schema["oneOf"]);
    if (oneOf.length > 0) {
      const count = oneOf.filter((part) => this.#matches(part, value)).length;
      if (count === 0) this.#report("matches no alternative");
      if (count > 1) this.#report("matches more than one alternative");
    }
    const not = schema["not"];
    if (isSchema(not) && this.#matches(not, value)) this.#report(NOTHING_ALLOWED);
    const branch = conditionalBranch(schema, (condition) => this.#matches(condition, value));
    if (branch !== undefined) this.check(branch, value);
  }
}

/** The list behind `allOf`, `anyOf` and `oneOf`; empty when absent. */
export function schemaList(value: unknown): Schema[] {
  return Array.isArray(value) ? value.filter(isSchema) : [];
}

/** The names an object must have. */
export function requiredNames(schema: Record<string, unknown>): Set<string> {
  const required = schema["required"];
  return new Set(Array.isArray(required) ? required.filter((name) => typeof name === "string") : []);
}

/** Schemas of the first items, and the one of all further items. */
export function itemSchemas(schema: Record<string, unknown>): { tuple: Schema[]; rest: Schema | undefined } {
  const { items, prefixItems, additionalItems } = schema;
  // Before draft 2020-12 a tuple was a list in `items`.
  if (Array.isArray(items)) {
    return { tuple: schemaList(items), rest: isSchema(additionalItems) ? additionalItems : undefined };
  }
  return { tuple: schemaList(prefixItems), rest: isSchema(items) ? items : undefined };
}

/** The compiled `patternProperties`. */
export function patternSchemas(prepared: PreparedSchema, schema: Record<string, unknown>): [RegExp, Schema][] {
  const result: [RegExp, Schema][] = [];
  for (const [source, property] of Object.entries(schema["patternProperties"] ?? {})) {
    const pattern = prepared.pattern(source);
    if (pattern && isSchema(property)) result.push([pattern, property]);
  }
  return result;
}

/** The branch of `if`/`then`/`else` that applies. */
export function conditionalBranch(
  schema: Record<string, unknown>,
  matches: (condition: Schema) => boolean,
): Schema | undefined {
  const condition = schema["if"];
  if (!isSchema(condition)) return undefined;
  const branch = matches(condition) ? schema["then"] : schema["else"];
  return isSchema(branch) ? branch : undefined;
}

function codePointCount(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function isMultiple(value: number, of: number): boolean {
  const quotient = value / of;
  // Decimal fractions such as 0.3 / 0.1 miss the whole number by a rounding error.
  return Math.abs(quotient - Math.round(quotient)) < 1e-9 * Math.max(1, Math.abs(quotient));
}

function hasDuplicates(items: unknown[]): boolean {
  const simple = new Set<unknown>();
  const composite: unknown[] = [];
  for (const item of items) {
    if (typeof item !== "object" || item === null) {
      if (simple.has(item)) return true;
      simple.add(item);
    } else {
      if (composite.some((other) => jsonEqual(other, item))) return true;
      composite.push(item);
    }
  }
  return false;
}
