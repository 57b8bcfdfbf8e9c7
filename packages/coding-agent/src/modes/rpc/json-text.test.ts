import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonText } from "./json-text.js";

/** Deeper than any stack. */
const DEPTH = 100_000;
const nested = (inner: string) => `${"[".repeat(DEPTH)}${inner}${"]".repeat(DEPTH)}`;

describe("JSON of any depth", () => {
  it("is what JSON.stringify makes of the same value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(jsonText(value)).toBe(JSON.stringify(value));
        // Deep enough for the other way, around the same value.
        expect(jsonText(JSON.parse(nested(JSON.stringify(value))))).toBe(nested(JSON.stringify(value)));
      }),
      { numRuns: 30 },
    );
  });

  it("leaves out what is undefined, as JSON.stringify does", () => {
    const deep = JSON.parse(nested("0"));
    expect(jsonText({ a: undefined, b: 1, deep })).toBe(`{"b":1,"deep":${nested("0")}}`);
  });
});
