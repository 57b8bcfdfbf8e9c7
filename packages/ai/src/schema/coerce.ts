import { jsonEqual } from "../json/json-equal.js";
import { cloneJson, isObject, setOwn } from "../json/objects.js";
import { conditionalBranch, itemSchemas, matchesSchema, patternSchemas, requiredNames, schemaList } from "./check.js";
import { isSchema, type PreparedSchema, type Schema } from "./prepared-schema.js";
import { isOfType, typeList } from "./value-types.js";

/** Numbers as models write them into strings. */
const NUMERIC = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i;

/**
 * A copy of the value in which what a model wrote in a neighbouring type has the type of the schema: strings for
 * numbers, one value for a list of one, null for an absent optional property. What cannot be converted stays as it
 * is, for the check to report. Applying it twice changes nothing more. Source: llm.md section 8.
 */
export function coerceToSchema(prepared: PreparedSchema, schema: Schema, value: unknown): unknown {
  return new Coercer(prepared).coerce(schema, cloneJson(value));
}

class Coercer {
  readonly #prepared: PreparedSchema;

  constructor(prepared: PreparedSchema) {
    this.#prepared = prepared;
  }

  coerce(schema: Schema, input: unknown): unknown {
    if (typeof schema === "boolean") return input;
    let value = input;
    if (typeof schema["$ref"] === "string") {
      const target = this.#prepared.resolve(schema["$ref"]);
      if (target === undefined) return value;
      value = this.coerce(target, value);
    }
    value = this.#coerceToChoice(schema, value);
    value = this.#coerceToType(schema, value);
    if (Array.isArray(value)) this.#coerceItems(schema, value);
    else if (isObject(value)) this.#coerceProperties(schema, value);
    for (const part of schemaList(schema["allOf"])) value = this.coerce(part, value);
    value = this.#coerceToAlternative(schemaList(schema["anyOf"]), value);
    value = this.#coerceToAlternative(schemaList(schema["oneOf"]), value);
    const branch = conditionalBranch(schema, (condition) => matchesSchema(this.#prepared, condition, value));
    return branch === undefined ? value : this.coerce(branch, value);
  }

  #coerceToChoice(schema: Record<string, unknown>, value: unknown): unknown {
    const choices = Array.isArray(schema["enum"]) ? schema["enum"] : "const" in schema ? [schema["const"]] : undefined;
    if (!choices || choices.some((choice) => jsonEqual(choice, value))) return value;
    for (const choice of choices) {
      const type = choice === null ? "null" : typeof choice;
      if (jsonEqual(convert(value, type), choice)) return choice;
    }
    return value;
  }

  #coerceToType(schema: Record<string, unknown>, value: unknown): unknown {
    const types = typeList(schema["type"]);
    if (!types || types.some((type) => isOfType(value, type))) return value;
    for (const type of types) {
      const converted = convert(value, type);
      if (isOfType(converted, type)) return converted;
    }
    return value;
  }

  #coerceItems(schema: Record<string, unknown>, value: unknown[]): void {
    const { tuple, rest } = itemSchemas(schema);
    value.forEach((item, index) => {
      const itemSchema = tuple[index] ?? rest;
      if (itemSchema !== undefined) value[index] = this.coerce(itemSchema, item);
    });
  }

  #coerceProperties(schema: Record<string, unknown>, value: Record<string, unknown>): void {
    const properties = isObject(schema["properties"]) ? schema["properties"] : {};
    const required = requiredNames(schema);
    const patterns = patternSchemas(this.#prepared, schema);
    const { additionalProperties } = schema;
    for (const name of Object.keys(value)) {
      const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const applicable = patterns.filter(([pattern]) => pattern.test(name)).map(([, property]) => property);
      if (isSchema(own)) applicable.unshift(own);
      else if (applicable.length === 0 && isSchema(additionalProperties)) applicable.push(additionalProperties);
      for (const property of applicable) {
        const member = value[name];
        // Strict schemas make models send null for what they would leave out.
        if (member === null && !required.has(name) && property === own && !this.#accepts(property, null)) {
          delete value[name];
          break;
        }
        setOwn(value, name, this.coerce(property, member));
      }
    }
  }

  /** A value that matches a branch as it is keeps its form; else the first branch it can be converted to wins. */
  #coerceToAlternative(alternatives: Schema[], value: unknown): unknown {
    if (alternatives.length === 0 || alternatives.some((part) => this.#accepts(part, value))) return value;
    for (const part of alternatives) {
      const candidate = this.coerce(part, cloneJson(value));
      if (this.#accepts(part, candidate)) return candidate;
    }
    return value;
  }

  #accepts(schema: Schema, value: unknown): boolean {
    return matchesSchema(this.#prepared, schema, value);
  }
}

/** The value converted to a type, or the value itself when there is no sensible conversion. */
function convert(value: unknown, type: string): unknown {
  switch (type) {
    case "string":
      return toText(value);
    case "number":
      return toNumber(value);
    case "integer": {
      const number = toNumber(value);
      return typeof number === "number" ? Math.trunc(number) : number;
    }
    case "boolean":
      return toBoolean(value);
    case "array":
      return value === null || Array.isArray(value) ? value : [value];
    default:
      return value;
  }
}

function toText(value: unknown): unknown {
  const convertible =
    value === null || typeof value === "number" || typeof value === "boolean" || typeof value === "bigint";
  return convertible ? String(value) : value;
}

function toNumber(value: unknown): unknown {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "string") return value;
  if (NUMERIC.test(value)) {
    const number = Number(value);
    return Number.isFinite(number) ? number : value;
  }
  const truth = toBoolean(value);
  return typeof truth === "boolean" ? Number(truth) : value;
}

function toBoolean(value: unknown): unknown {
  const word = typeof value === "string" ? value.trim().toLowerCase() : value;
  if (word === "true" || word === "1" || word === 1 || word === 1n) return true;
  if (word === "false" || word === "0" || word === 0 || word === 0n) return false;
  return value;
}
