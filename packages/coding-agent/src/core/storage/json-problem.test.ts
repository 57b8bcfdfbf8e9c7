import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonProblem, jsonProblemText } from "./json-problem.js";

describe("jsonProblem", () => {
  it.each<[string, string]>([
    ["", "expected a value, but the text ends at line 1, column 1"],
    ["{", "expected a name in double quotes, but the text ends at line 1, column 2"],
    ['{\n  "theme": "dark",\n  oops\n}', "expected a name in double quotes at line 3, column 3"],
    ['{"a": 1,}', "expected a name in double quotes at line 1, column 9"],
    ["[1,]", "expected a value at line 1, column 4"],
    ['{"a" 1}', "expected a colon at line 1, column 6"],
    ['{"a": secret}', "expected a value at line 1, column 7"],
    ['{"a": 1 "b": 2}', "expected a comma or } at line 1, column 9"],
    ["[1 2]", "expected a comma or ] at line 1, column 4"],
    ["{} x", "expected nothing more at line 1, column 4"],
    ['{"a": "x\ny"}', 'expected the " that ends a text at line 1, column 9'],
    ['{"a": "x', 'expected the " that ends a text, but the text ends at line 1, column 9'],
    ["// comment\n{}", "expected a value at line 1, column 1"],
    ['{"😀": oops}', "expected a value at line 1, column 7"],
    ["01", "expected nothing more at line 1, column 2"],
  ])("%j", (text, expected) => {
    const problem = jsonProblem(text);
    expect(problem && jsonProblemText(problem)).toBe(expected);
  });

  const isJson = (text: string): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };

  it("there is none exactly when the text is JSON", () => {
    const texts = fc.oneof(
      fc.json(),
      fc
        .tuple(fc.json(), fc.nat(), fc.constantFrom("", ",", '"', "}", "]", "\n", "\\", "x", "0", "\u0001"))
        .map(([text, at, insert]) => {
          const place = at % (text.length + 1);
          return text.slice(0, place) + insert + text.slice(place + 1);
        }),
      fc.string(),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(jsonProblem(text) === undefined).toBe(isJson(text));
      }),
      { numRuns: 1000 },
    );
  });

  it("any depth", () => {
    expect(jsonProblem("[".repeat(100_000) + "]".repeat(100_000))).toBeUndefined();
  });
});
