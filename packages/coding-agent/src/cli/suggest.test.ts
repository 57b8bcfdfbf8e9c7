import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { closest, editDistance } from "./suggest.js";

describe("closest", () => {
  const options = ["--model", "--models", "--mode", "--print", "--session-dir", "--tools", "-nbt"];
  it.each<[string, string | undefined]>([
    ["--modle", "--model"],
    ["-model", "--model"],
    ["--MODEL", "--model"],
    ["--prnt", "--print"],
    ["--sesion-dri", "--session-dir"],
    ["--sess", "--session-dir"],
    ["-ntb", "-nbt"],
    ["--wat", undefined],
    ["--mo", undefined],
    ["-x", undefined],
    ["", undefined],
    ["--something", undefined],
  ])("%s -> %s", (word, expected) => {
    expect(closest(word, options)).toBe(expected);
  });
});

it("of equally near words the one with the same first letter is meant", () => {
  expect(closest("bsh", ["zsh", "bash", "fish"])).toBe("bash");
});

describe("editDistance", () => {
  it.each([
    ["", "", 0],
    ["", "abc", 3],
    ["list", "lsit", 1],
    ["list", "lint", 1],
    ["install", "instal", 1],
    ["kitten", "sitting", 3],
  ])("%s to %s is %i", (from, to, distance) => {
    expect(editDistance(from, to)).toBe(distance);
  });

  it("is a metric on what single changes make of a word", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        const distance = editDistance(a, b);
        expect(distance).toBe(editDistance(b, a));
        expect(distance === 0).toBe(a === b);
        expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length));
        expect(distance).toBeGreaterThanOrEqual(Math.abs(a.length - b.length));
      }),
    );
  });
});
