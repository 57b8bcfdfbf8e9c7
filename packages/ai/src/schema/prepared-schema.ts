import { isObject } from "../json/objects.js";

/** A JSON Schema: keywords by name, or true/false for "anything"/"nothing". */
export type Schema = Record<string, unknown> | boolean;

/** References to the same place that may follow each other before they count as going round in circles. */
const MAX_REFERENCE_CHAIN = 64;

/** What is worth remembering about one root schema: where its references lead and its compiled patterns. */
export class PreparedSchema {
  readonly root: Schema;
  readonly #references = new Map<string, Schema | undefined>();
  readonly #patterns = new Map<string, RegExp | undefined>();

  constructor(root: Schema) {
    this.root = root;
  }

  /** The schema a reference leads to, through further plain references; undefined when it leads nowhere. */
  resolve(reference: string): Schema | undefined {
    if (!this.#references.has(reference)) this.#references.set(reference, this.#follow(reference));
    return this.#references.get(reference);
  }

  /** The compiled pattern; undefined for one that is no regular expression, which nothing can be held to. */
  pattern(source: string): RegExp | undefined {
    if (!this.#patterns.has(source)) this.#patterns.set(source, compilePattern(source));
    return this.#patterns.get(source);
  }

  #follow(reference: string): Schema | undefined {
    let target = this.#lookup(reference);
    for (let steps = 0; isObject(target) && typeof target["$ref"] === "string"; steps++) {
      if (steps > MAX_REFERENCE_CHAIN) return undefined;
      // A reference with other keywords beside it is a schema of its own.
      if (Object.keys(target).length > 1) return target;
      target = this.#lookup(target["$ref"]);
    }
    return target;
  }

  #lookup(reference: string): Schema | undefined {
    if (reference === "#") return this.root;
    if (reference.startsWith("#/")) return pointerTarget(this.root, reference.slice(2));
    return namedSchema(this.root, reference);
  }
}

/** True for what can stand where a schema is expected. */
export function isSchema(value: unknown): value is Schema {
  return typeof value === "boolean" || isObject(value);
}

function compilePattern(source: string): RegExp | undefined {
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(source, flags);
    } catch {
      // Some patterns are valid only without the flag.
    }
  }
  return undefined;
}

function pointerTarget(root: Schema, pointer: string): Schema | undefined {
  let target: unknown = root;
  for (const part of pointer.split("/")) {
    const key = decodePointerPart(part);
    if (typeof target !== "object" || target === null || !Object.hasOwn(target, key)) return undefined;
    target = (target as Record<string, unknown>)[key];
  }
  return isSchema(target) ? target : undefined;
}

function decodePointerPart(part: string): string {
  const unescaped = part.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(unescaped);
  } catch {
    return unescaped;
  }
}

/** Finds the schema that carries the reference as its `$id` or `$anchor`. */
function namedSchema(root: unknown, reference: string): Schema | undefined {
  const anchor = reference.startsWith("#") ? reference.slice(1) : undefined;
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== "object" || value === null) continue;
    if (isObject(value)) {
      if (value["$id"] === reference || (anchor !== undefined && value["$anchor"] === anchor)) return value;
    }
    pending.push(...Object.values(value));
  }
  return undefined;
}

const prepared = new WeakMap<object, PreparedSchema>();

/** The prepared form of a schema object, made once per object. */
export function prepareSchema(schema: object): PreparedSchema {
  let result = prepared.get(schema);
  if (!result) {
    result = new PreparedSchema(schema as Record<string, unknown>);
    prepared.set(schema, result);
  }
  return result;
}
