import { isObject, type JsonObject, listOf, objectOf } from "./json.js";

/** A schema and where it is, as a path of keys from the root. */
export interface SchemaNode {
  path: string[];
  schema: JsonObject;
}

const mapsOfSchemas = ["properties", "$defs", "definitions"];
const listsOfSchemas = ["anyOf", "allOf", "oneOf", "prefixItems"];

/** The schema and all schemas inside it. */
export function* schemaNodes(schema: JsonObject, path: string[] = []): Generator<SchemaNode> {
  yield { path, schema };
  for (const key of mapsOfSchemas) {
    for (const [name, inner] of Object.entries(objectOf(schema[key]))) {
      if (isObject(inner)) yield* schemaNodes(inner, [...path, key, name]);
    }
  }
  for (const key of listsOfSchemas) {
    for (const [index, inner] of listOf(schema[key]).entries()) {
      if (isObject(inner)) yield* schemaNodes(inner, [...path, key, String(index)]);
    }
  }
  if (isObject(schema["items"])) yield* schemaNodes(schema["items"], [...path, "items"]);
}

export function isObjectSchema(schema: JsonObject): boolean {
  return schema["type"] === "object" || listOf(schema["type"]).includes("object") || "properties" in schema;
}

/** Object schemas that let unknown properties pass. */
export function openObjects(schema: JsonObject): SchemaNode[] {
  return [...schemaNodes(schema)].filter(
    (node) => isObjectSchema(node.schema) && node.schema["additionalProperties"] !== false,
  );
}
