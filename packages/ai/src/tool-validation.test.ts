import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matchesSchema } from "./schema/check.js";
import { coerceToSchema } from "./schema/coerce.js";
import { prepareSchema } from "./schema/prepared-schema.js";
import { validateToolArguments, validateToolCall } from "./tool-validation.js";
import type { Tool } from "./types.js";

function tool(parameters: object): Tool {
  return { name: "t", description: "", parameters };
}

function validate(parameters: object, args: Record<string, unknown>): unknown {
  return validateToolArguments(tool(parameters), { name: "t", arguments: args });
}

function problems(parameters: object, args: Record<string, unknown>): string[] {
  try {
    validate(parameters, args);
  } catch (error) {
    const text = (error as Error).message;
    return [...text.matchAll(/^ {2}- (.*)$/gm)].map((match) => match[1] ?? "");
  }
  return [];
}

const object = (properties: Record<string, unknown>, required: string[] = []): Record<string, unknown> => ({
  type: "object",
  properties,
  required,
});

describe("coercion", () => {
  const text = { type: "string" };
  const cases: [string, object, Record<string, unknown>, unknown][] = [
    [
      "number, numeric string and boolean word",
      object({ path: text, n: { type: "number" }, b: { type: "boolean" } }),
      { path: 1, n: "42", b: "true" },
      { path: "1", n: 42, b: true },
    ],
    [
      "one value for a list",
      object({ e: { type: "array", items: object({ a: text }) } }),
      { e: { a: "q" } },
      { e: [{ a: "q" }] },
    ],
    ["null in an optional property", object({ n: { type: "number" } }), { n: null }, {}],
    [
      "null in an optional property that allows it",
      object({ n: { anyOf: [{ type: "number" }, { type: "null" }] } }),
      { n: null },
      { n: null },
    ],
    ["null in a required string", object({ s: text }, ["s"]), { s: null }, { s: "null" }],
    ["integer truncates", object({ i: { type: "integer" } }), { i: "3.5" }, { i: 3 }],
    ["integer truncates a number", object({ i: { type: "integer" } }), { i: -3.9 }, { i: -3 }],
    ["boolean for a number", object({ n: { type: "number" } }), { n: true }, { n: 1 }],
    ["boolean word for a number", object({ n: { type: "number" } }), { n: "false" }, { n: 0 }],
    ["number for a boolean", object({ b: { type: "boolean" } }), { b: 0 }, { b: false }],
    ["enum by converted value", object({ e: { enum: ["1", "2"] } }), { e: 2 }, { e: "2" }],
    ["const by converted value", object({ e: { const: 5 } }), { e: "5" }, { e: 5 }],
    ["union keeps what matches", object({ u: { anyOf: [text, { type: "number" }] } }), { u: 5 }, { u: 5 }],
    [
      "union takes the first branch that fits after conversion",
      object({ u: { anyOf: [{ type: "boolean" }, { type: "number" }] } }),
      { u: "7" },
      { u: 7 },
    ],
    ["several types", object({ u: { type: ["number", "null"] } }, ["u"]), { u: "7" }, { u: 7 }],
    ["unknown properties pass", object({}), { x: { y: [1] } }, { x: { y: [1] } }],
    ["nested list items", object({ a: { type: "array", items: { type: "number" } } }), { a: ["1", 2] }, { a: [1, 2] }],
    [
      "through a reference",
      { ...object({ a: { $ref: "#/$defs/n" } }), $defs: { n: { type: "number" } } },
      { a: "1" },
      { a: 1 },
    ],
    ["additional properties", { type: "object", additionalProperties: { type: "number" } }, { q: "1" }, { q: 1 }],
  ];
  test.each(cases)("%s", (_name, schema, args, expected) => {
    const before = structuredClone(args);
    expect(validate(schema, args)).toEqual(expected);
    expect(args).toEqual(before);
  });

  test("keeps a member called __proto__ as data", () => {
    const args = JSON.parse('{"__proto__":{"polluted":true}}');
    const result = validate(object({}), args) as Record<string, unknown>;
    expect(JSON.stringify(result)).toBe('{"__proto__":{"polluted":true}}');
    expect(result["polluted"]).toBeUndefined();
  });
});

describe("messages", () => {
  const cases: [object, Record<string, unknown>, string[]][] = [
    [object({ a: {} }, ["a"]), {}, ["a: missing"]],
    [object({ n: { type: "number" } }), { n: "x" }, ["n: expected number, got string"]],
    [object({ e: { enum: ["x", "y"] } }), { e: "z" }, ['e: expected one of ["x","y"]']],
    [{ ...object({}), additionalProperties: false }, { q: 1 }, ["q: unknown field"]],
    [object({ s: { type: "string", minLength: 3 } }), { s: "ab" }, ["s: expected at least 3 characters"]],
    [object({ s: { type: "string", maxLength: 1 } }), { s: "ab" }, ["s: expected at most 1 characters"]],
    [object({ s: { type: "string", maxLength: 1 } }), { s: "😀" }, []],
    [object({ a: { type: "array", minItems: 1 } }), { a: [] }, ["a: expected at least 1 items"]],
    [object({ a: { type: "array", uniqueItems: true } }), { a: [{ x: 1 }, { x: 1 }] }, ["a: expected unique items"]],
    [{ type: "object", minProperties: 1 }, {}, ["root: expected at least 1 properties"]],
    [object({ s: { type: "string", pattern: "^a" } }), { s: "b" }, ["s: expected to match ^a"]],
    [object({ s: { type: "string", format: "date" } }), { s: "2026-02-30" }, ["s: expected format date"]],
    [object({ n: { minimum: 2 } }), { n: 1 }, ["n: expected >= 2"]],
    [object({ n: { maximum: 2 } }), { n: 3 }, ["n: expected <= 2"]],
    [object({ n: { exclusiveMinimum: 2 } }), { n: 2 }, ["n: expected > 2"]],
    [object({ n: { exclusiveMaximum: 2 } }), { n: 2 }, ["n: expected < 2"]],
    [object({ n: { multipleOf: 0.1 } }), { n: 0.3 }, []],
    [object({ n: { multipleOf: 2 } }), { n: 3 }, ["n: expected a multiple of 2"]],
    [object({ u: { anyOf: [{ type: "number" }, { type: "null" }] } }), { u: "x" }, ["u: matches no alternative"]],
    [
      object({ u: { oneOf: [{ type: "number" }, { minimum: 0 }] } }),
      { u: 1 },
      ["u: matches more than one alternative"],
    ],
    [object({ u: false as never }), { u: 1 }, ["u: no value is allowed here"]],
    [object({ u: { $ref: "#/nowhere" }, v: {} }), { u: 1, v: 2 }, ["u: no value is allowed here"]],
    [
      object({ edits: { type: "array", items: object({ oldText: { type: "string" } }, ["oldText"]) } }),
      { edits: [{}] },
      ["edits.0.oldText: missing"],
    ],
  ];
  test.each(cases)("%j with %j", (schema, args, expected) => {
    expect(problems(schema, args)).toEqual(expected);
  });

  test("the whole text", () => {
    const read: Tool = { name: "read", description: "", parameters: object({ path: { type: "string" } }, ["path"]) };
    expect(() => validateToolCall([read], { name: "read", arguments: { limit: 1 } })).toThrow(
      new Error('Validation failed for tool "read":\n  - path: missing\n\nReceived arguments:\n{\n  "limit": 1\n}'),
    );
    expect(() => validateToolCall([read], { name: "raed", arguments: {} })).toThrow(new Error('Tool "raed" not found'));
    expect(() => validateToolArguments(read, { name: "read", arguments: {}, argumentsError: "bad" })).toThrow(
      new Error('Invalid arguments for tool "read": bad'),
    );
  });
});

describe("properties", () => {
  const leaf = fc.oneof(
    fc.constantFrom(
      { type: "string" },
      { type: "number" },
      { type: "integer" },
      { type: "boolean" },
      { type: "null" },
      { enum: ["1", 2, true] },
      { const: "5" },
      { type: ["integer", "null"] },
      {},
    ),
  );
  const schema = fc.letrec<{ any: object }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      leaf,
      fc.record({ type: fc.constant("array"), items: tie("any") }),
      fc.record({ anyOf: fc.array(tie("any"), { minLength: 1, maxLength: 3 }) }),
      fc.record({
        type: fc.constant("object"),
        properties: fc.record({ a: tie("any"), b: tie("any") }),
        required: fc.subarray(["a", "b"]),
      }),
    ),
  })).any;
  const value = fc.letrec<{ any: unknown }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(null, true, false, 0, 1, 2, 3.7, "", "1", "true", "x", "5", "3.5"),
      fc.array(tie("any"), { maxLength: 3 }),
      fc.record({ a: tie("any"), b: tie("any") }, { requiredKeys: [] }),
    ),
  })).any;

  test("coercion is idempotent", () => {
    fc.assert(
      fc.property(schema, value, (shape, input) => {
        const prepared = prepareSchema(shape);
        const once = coerceToSchema(prepared, prepared.root, input);
        expect(coerceToSchema(prepared, prepared.root, once)).toEqual(once);
      }),
      { numRuns: 2000 },
    );
  });

  test("coercion never breaks what is valid", () => {
    fc.assert(
      fc.property(schema, value, (shape, input) => {
        const prepared = prepareSchema(shape);
        fc.pre(matchesSchema(prepared, prepared.root, input));
        expect(coerceToSchema(prepared, prepared.root, input)).toEqual(input);
      }),
      { numRuns: 2000 },
    );
  });
});
