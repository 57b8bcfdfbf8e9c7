import { isObject, type JsonObject, listOf, objectOf, stringOf } from "./json.js";
import { isObjectSchema, schemaNodes } from "./schema.js";

const namePattern = /^[a-zA-Z0-9_-]{1,64}$/;

/** Keywords outside the subset that Structured Outputs supports. */
const unsupportedKeywords = (
  "allOf oneOf not if then else dependentRequired dependentSchemas dependencies patternProperties propertyNames " +
  "unevaluatedProperties unevaluatedItems contains minContains maxContains uniqueItems prefixItems"
).split(" ");

const describesType = ["type", "anyOf", "$ref", "enum", "const"];

/** The rules for one function, wherever its API puts the fields. `at` is the path of the function object. */
export function* functionProblems(declared: JsonObject, at: string): Generator<string> {
  const name = stringOf(declared["name"]);
  if (name === "") {
    yield `Missing required parameter: '${at}.name'.`;
    return;
  }
  if (!namePattern.test(name)) {
    yield `Invalid '${at}.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`;
  }
  if (name.length > 64) yield tooLong(`${at}.name`, 64, name.length);
  const { parameters, strict } = declared;
  if (parameters === undefined || parameters === null) return;
  const type = isObject(parameters) ? parameters["type"] : undefined;
  if (!isObject(parameters) || type !== "object") {
    const got = type === undefined ? '"None"' : JSON.stringify(type);
    yield `Invalid schema for function '${name}': schema must be a JSON Schema of 'type: "object"', got 'type: ${got}'.`;
    return;
  }
  if (strict !== true) return;
  for (const problem of strictProblems(parameters)) yield `Invalid schema for function '${name}': ${problem}`;
}

/** What `strict: true` forbids. */
export function* strictProblems(root: JsonObject): Generator<string> {
  for (const { path, schema } of schemaNodes(root)) {
    const context = `In context=(${path.map((key) => `'${key}'`).join(", ")})`;
    for (const keyword of unsupportedKeywords) {
      if (keyword in schema) yield `${context}, '${keyword}' is not permitted.`;
    }
    if (!describesType.some((key) => key in schema)) yield `${context}, schema must have a 'type' key.`;
    if (!isObjectSchema(schema)) continue;
    if (schema["additionalProperties"] !== false) {
      yield `${context}, 'additionalProperties' is required to be supplied and to be false.`;
    }
    const required = listOf(schema["required"]);
    const missing = Object.keys(objectOf(schema["properties"])).find((key) => !required.includes(key));
    if (missing !== undefined) {
      yield `${context}, 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`;
    }
  }
}

export function tooLong(at: string, limit: number, length: number): string {
  return `Invalid '${at}': string too long. Expected a string with maximum length ${limit}, but got a string with length ${length} instead.`;
}

export function emptyArray(at: string): string {
  return `Invalid '${at}': empty array. Expected an array with minimum length 1, but got an empty array instead.`;
}

export function wrongType(at: string, expected: string, value: unknown): string {
  return `Invalid type for '${at}': expected ${expected}, but got ${nameOfType(value)} instead.`;
}

function nameOfType(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
