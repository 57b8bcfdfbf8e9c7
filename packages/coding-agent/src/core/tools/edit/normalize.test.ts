import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalizeForFuzzyMatch, normalizeWithOffsets } from "./normalize.js";

describe("normalizeForFuzzyMatch", () => {
  it.each([
    ["trailing whitespace", "foo  \t\n bar \u00a0\nx", "foo\n bar\nx"],
    ["single quotes", "\u2018a\u2019 \u201ab\u201b", "'a' 'b'"],
    ["double quotes", "\u201ca\u201d \u201eb\u201f", '"a" "b"'],
    ["dashes", "\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-------"],
    ["spaces", "a\u00a0b\u2002c\u200ad\u202fe\u205ff\u3000g", "a b c d e f g"],
    ["compatibility forms", "\ufb01le \u2460 \uff38", "file 1 X"],
    ["leading whitespace, tabs and case stay", "\tA  b", "\tA  b"],
  ])("%s", (_name, text, expected) => {
    expect(normalizeForFuzzyMatch(text)).toBe(expected);
  });
});

/** Everything that merges, expands, reorders or is trimmed. */
const character = fc.constantFrom(
  ..."aA fi\n\t",
  "e\u0301",
  "\u0301",
  "\u0323",
  "é",
  "\ufb01",
  "\u2460",
  "\u00a0",
  "\u3000",
  "\u2019",
  "\u2014",
  "漢",
  "한",
  "\u1112",
  "\u1161",
  "\u11ab",
  "\u314f",
  "\u30ab",
  "\uff76",
  "\uff9e",
  "\ufeff",
  "\u2028",
  "😀",
  "\u212b",
  "\u0344",
  "\u09c7",
  "\u09be",
  "\ufdfa",
  "\ud800",
);
const text = fc.array(character, { maxLength: 30 }).map((parts) => parts.join(""));

describe("normalizeWithOffsets", () => {
  it("gives the same text as normalizeForFuzzyMatch", () => {
    fc.assert(
      fc.property(text, (original) => {
        expect(normalizeWithOffsets(original).text).toBe(normalizeForFuzzyMatch(original));
      }),
      { numRuns: 3000 },
    );
  });

  it("maps units to pieces in order, and each whole piece normalises to its units", () => {
    fc.assert(
      fc.property(text, (original) => {
        const { text: normalized, starts, ends } = normalizeWithOffsets(original);
        for (let i = 0; i < normalized.length; i++) {
          const [start = -1, end = -1] = [starts[i], ends[i]];
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(original.length);
          const sameAsBefore = i > 0 && starts[i - 1] === start;
          if (i > 0 && !sameAsBefore) expect(start).toBeGreaterThanOrEqual(ends[i - 1] ?? 0);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("is exact about ASCII beside other characters", () => {
    const { text: normalized, starts, ends } = normalizeWithOffsets("a\ufb01b  \nc");
    expect(normalized).toBe("afib\nc");
    expect([...starts]).toEqual([0, 1, 1, 2, 5, 6]);
    expect([...ends]).toEqual([1, 2, 2, 3, 6, 7]);
  });
});
