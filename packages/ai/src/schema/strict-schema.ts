import { isObject } from "../json/objects.js";

/** Keywords that no provider's strict mode takes. Source: llm.md section 8. */
const UNSUPPORTED = [
  "$ref",
  "$defs",
  "definitions",
  "allOf",
  "oneOf",
  "patternProperties",
  "dependentSchemas",
  "dependencies",
  "unevaluatedProperties",
  "propertyNames",
  "contains",
  "prefixItems",
  "not",
  "if",
  "then",
  "else",
];

type Node = Record<string, unknown>;

/** Says why a schema has no strict form. */
class NotStrict extends Error {}

/** The strict form of a schema, or why there is none. */
export type StrictSchema = { schema: Node } | { reason: string };

const made = new WeakMap<object, StrictSchema>();

/**
 * The schema as strict sampling wants it: every property required, optional ones nullable, nothing else allowed.
 * Made once per schema object.
 */
export function strictSchema(schema: object): StrictSchema {
  let result = made.get(schema);
  if (!result) {
    result = makeStrict(schema);
    made.set(schema, result);
  }
  return result;
}

function makeStrict(schema: object): StrictSchema {
  try {
    const strict = strictNode(schema as Node, "root");
    return strict["type"] === "object" ? { schema: strict } : { reason: "its parameters are not an object" };
  } catch (error) {
    if (error instanceof NotStrict) return { reason: error.message };
    throw error;
  }
}

function strictNode(node: unknown, path: string): Node {
  if (!isObject(node)) throw new NotStrict(`its schema is not an object at ${path}`);
  const keyword = UNSUPPORTED.find((name) => Object.hasOwn(node, name));
  if (keyword) throw new NotStrict(`its schema uses ${keyword} at ${path}`);
  const { type, anyOf } = node;
  if (Array.isArray(anyOf)) return { ...node, anyOf: anyOf.map((part, index) => strictNode(part, `${path}.${index}`)) };
  if (Array.isArray(type) && type.some((name) => name === "object" || name === "array")) {
    throw new NotStrict(`its schema has a union with objects or arrays at ${path}`);
  }
  if (type === undefined && !("enum" in node) && !("const" in node)) {
    throw new NotStrict(`its schema has no type at ${path}`);
  }
  if (type === "object") return strictObject(node, path);
  if (type !== "array") return { ...node };
  if (Array.isArray(node["items"])) throw new NotStrict(`its schema has tuple items at ${path}`);
  return { ...node, items: strictNode(node["items"], `${path}.items`) };
}

function strictObject(node: Node, path: string): Node {
  const { additionalProperties } = node;
  if (additionalProperties === true || isObject(additionalProperties)) {
    throw new NotStrict(`its schema allows further properties at ${path}`);
  }
  const properties = isObject(node["properties"]) ? node["properties"] : {};
  const required = new Set(Array.isArray(node["required"]) ? node["required"] : []);
  const strict = Object.entries(properties).map(([name, property]) => {
    const inner = strictNode(property, `${path}.${name}`);
    return [name, required.has(name) ? inner : { anyOf: [inner, { type: "null" }] }];
  });
  return {
    ...node,
    properties: Object.fromEntries(strict),
    required: Object.keys(properties),
    additionalProperties: false,
  };
}
