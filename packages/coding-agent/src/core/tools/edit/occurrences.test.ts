import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eachOccurrence, firstOccurrence } from "./occurrences.js";

function all(text: string, needle: string): number[] {
  const places: number[] = [];
  eachOccurrence(text, needle, (at) => {
    places.push(at);
    return "continue";
  });
  return places;
}

describe("occurrences", () => {
  it.each([
    ["aaa", "aa", [0, 1]],
    ["aaa", "a", [0, 1, 2]],
    ["a", "aa", []],
    ["a", "", []],
    ["", "a", []],
    ["ab\nab", "ab", [0, 3]],
  ])("of %j: %j", (text, needle, places) => {
    expect(all(text, needle)).toEqual(places);
  });

  it("are those that a plain comparison at every place finds, also in repetitive texts", () => {
    const unit = fc.constantFrom("a", "ab", "\n", "aab", "😀", "x".repeat(40));
    const piece = fc.tuple(unit, fc.constantFrom(1, 2, 30, 150)).map(([part, times]) => part.repeat(times));
    const text = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(""));
    const needle = fc.oneof(text, fc.constantFrom("a", "aa", "ab", "ba"));
    fc.assert(
      fc.property(text, needle, fc.nat(), fc.nat(), (haystack, other, from, length) => {
        // Something that is there, and something that may be.
        const start = from % (haystack.length + 1);
        for (const wanted of [other, haystack.slice(start, start + (length % 400))]) {
          const expected = placesByComparing(haystack, wanted);
          expect(all(haystack, wanted)).toEqual(expected);
          expect(firstOccurrence(haystack, wanted)).toBe(expected[0] ?? -1);
        }
      }),
    );
  });

  it("of a text that repeats itself after a long while", () => {
    const unit = `${"a".repeat(500)}b`;
    const places = Array.from({ length: 1999 }, (_, i) => i * unit.length + 250);
    expect(all(unit.repeat(2000), unit.slice(250) + unit.slice(0, 250))).toEqual(places);
    expect(all(unit.repeat(2000), `${unit.repeat(2)}a`)).toHaveLength(1998);
    expect(all("aab".repeat(5000), "baaba")).toHaveLength(4998);
  });

  it("end when told to", () => {
    const seen: number[] = [];
    eachOccurrence("a".repeat(1000), "aa", (at) => (seen.push(at) === 500 ? "stop" : "continue"));
    expect(seen).toHaveLength(500);
  });
});

function placesByComparing(text: string, wanted: string): number[] {
  const places: number[] = [];
  if (wanted === "") return places;
  for (let at = 0; at + wanted.length <= text.length; at++) if (text.startsWith(wanted, at)) places.push(at);
  return places;
}
