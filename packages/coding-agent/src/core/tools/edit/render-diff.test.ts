import { applyPatch, createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { generateDiffString, generateUnifiedPatch } from "./render-diff.js";

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}`);

describe("generateDiffString", () => {
  it("shows signs, old numbers, new numbers of added lines", () => {
    expect(generateDiffString("a\nb\nc\n", "a\nB\nc\n")).toEqual({
      diff: " 1 a\n-2 b\n+2 B\n 3 c",
      firstChangedLine: 2,
    });
  });

  it("pads numbers and shows skipped runs between changes and at the end", () => {
    const before = numbered(60);
    const after = before.with(4, "FIVE").with(49, "FIFTY");
    const { diff, firstChangedLine } = generateDiffString(`${before.join("\n")}\n`, `${after.join("\n")}\n`);
    expect(firstChangedLine).toBe(5);
    expect(diff.split("\n")).toEqual([
      "  1 line 1",
      "  2 line 2",
      "  3 line 3",
      "  4 line 4",
      "- 5 line 5",
      "+ 5 FIVE",
      "  6 line 6",
      "  7 line 7",
      "  8 line 8",
      "  9 line 9",
      "    ...",
      " 46 line 46",
      " 47 line 47",
      " 48 line 48",
      " 49 line 49",
      "-50 line 50",
      "+50 FIFTY",
      " 51 line 51",
      " 52 line 52",
      " 53 line 53",
      " 54 line 54",
      "    ...",
    ]);
  });

  it("shows a lost final newline, and nothing for equal texts", () => {
    expect(generateDiffString("a\nb\n", "a\nb").diff).toBe(" 1 a\n-2 b\n+2 b");
    expect(generateDiffString("a", "a")).toEqual({ diff: "", firstChangedLine: undefined });
  });
});

describe("generateUnifiedPatch", () => {
  it.each([
    ["a\n", "a\nb\n", "@@ -1,1 +1,2 @@\n a\n+b\n"],
    ["", "a\n", "@@ -0,0 +1,1 @@\n+a\n"],
    ["a\n", "", "@@ -1,1 +0,0 @@\n-a\n"],
    ["a", "b", "@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n"],
    ["a", "a", ""],
  ])("%j to %j", (before, after, hunks) => {
    expect(generateUnifiedPatch("f.txt", before, after)).toBe(`--- f.txt\n+++ f.txt\n${hunks}`);
  });

  it("makes two hunks of two far changes and one of two near ones", () => {
    const before = numbered(60);
    const text = (lines: string[]) => `${lines.join("\n")}\n`;
    const far = generateUnifiedPatch("f", text(before), text(before.with(4, "x").with(49, "y")));
    expect(far.match(/^@@.*@@$/gm)).toEqual(["@@ -1,9 +1,9 @@", "@@ -46,9 +46,9 @@"]);
    const near = generateUnifiedPatch("f", text(before), text(before.with(4, "x").with(13, "y")));
    expect(near.match(/^@@.*@@$/gm)).toEqual(["@@ -1,18 +1,18 @@"]);
  });

  it("is what the reference library writes and applies", () => {
    const content = fc
      .tuple(fc.array(fc.constantFrom("a", "b", "c", "d", "e"), { maxLength: 40 }), fc.boolean())
      .map(([lines, ended]) => lines.join("\n") + (ended && lines.length > 0 ? "\n" : ""));
    fc.assert(
      fc.property(content, content, fc.integer({ min: 0, max: 5 }), (before, after, context) => {
        const patch = generateUnifiedPatch("f", before, after, context);
        expect(before === after ? before : applyPatch(before, patch)).toBe(after);
        const reference = createTwoFilesPatch("f", "f", before, after, undefined, undefined, {
          context,
          headerOptions: FILE_HEADERS_ONLY,
        });
        const size = (text: string) => text.split("\n").filter((line) => /^[+-](?![+-]{2} f)/.test(line)).length;
        expect(size(patch)).toBe(size(reference));
      }),
      { numRuns: 1000 },
    );
  });
});
