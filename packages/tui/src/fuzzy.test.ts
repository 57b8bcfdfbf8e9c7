import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fuzzyFilter, fuzzyMatch } from "./fuzzy.js";

describe("fuzzyMatch", () => {
  it.each([
    ["", "anything", true],
    ["abc", "aXbXc", true],
    ["ABC", "abc", true],
    ["abc", "acb", false],
    ["5gpt", "gpt5", true],
    ["gpt5x", "gpt5", false],
  ])("%j in %j: %s", (query, text, expected) => {
    expect(fuzzyMatch(query, text).matches).toBe(expected);
  });

  it.each([
    ["whole text", "model", "model", "models"],
    ["runs", "mod", "model", "mxoxd"],
    ["starts of words", "b", "a-b", "ab"],
    ["small gaps", "ac", "xabc", "xabbbc"],
    ["early places", "z", "xz", "xxxxxz"],
  ])("prefers %s", (_what, query, better, worse) => {
    expect(fuzzyMatch(query, better).score).toBeLessThan(fuzzyMatch(query, worse).score);
  });
});

describe("fuzzyFilter", () => {
  it("wants every word, sorts the best first, and leaves all without a query", () => {
    const items = ["src/model.ts", "src/mode.ts", "docs/model.md", "other"];
    expect(fuzzyFilter(items, "src/mod", (item) => item)).toEqual(["src/model.ts", "src/mode.ts"]);
    expect(fuzzyFilter(items, " ", (item) => item)).toBe(items);
  });

  it("returns a part of the items, each of which has the characters", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.string(), (items, query) => {
        for (const item of fuzzyFilter(items, query, (text) => text)) expect(items).toContain(item);
      }),
    );
  });
});
