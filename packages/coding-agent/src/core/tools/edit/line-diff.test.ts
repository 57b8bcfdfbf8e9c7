import { diffArrays } from "diff";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffLines, terminatedLines } from "./line-diff.js";

describe("terminatedLines", () => {
  it.each([
    ["", []],
    ["a", ["a"]],
    ["a\n", ["a\n"]],
    ["a\n\nb", ["a\n", "\n", "b"]],
    ["\n\n", ["\n", "\n"]],
  ])("%j", (text, lines) => {
    expect(terminatedLines(text)).toEqual(lines);
  });
});

const lines = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 14 });

describe("diffLines", () => {
  it("covers both sides in order, claims equality only where it is, and is as short as the reference", () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const runs = diffLines(before, after);
        let [x, y, changed] = [0, 0, 0];
        for (const run of runs) {
          expect([run.oldStart, run.newStart]).toEqual([x, y]);
          const oldPart = before.slice(run.oldStart, run.oldEnd);
          const newPart = after.slice(run.newStart, run.newEnd);
          if (run.equal) expect(oldPart).toEqual(newPart);
          else changed += oldPart.length + newPart.length;
          [x, y] = [run.oldEnd, run.newEnd];
        }
        expect([x, y]).toEqual([before.length, after.length]);
        const shortest = diffArrays(before, after)
          .filter((part) => part.added || part.removed)
          .reduce((sum, part) => sum + part.value.length, 0);
        expect(changed).toBe(shortest);
      }),
      { numRuns: 3000 },
    );
  });

  it("shows too many differences as one block, quickly", () => {
    const before = Array.from({ length: 20_000 }, (_, i) => `old ${i}`);
    const after = Array.from({ length: 20_000 }, (_, i) => `new ${i}`);
    const started = performance.now();
    expect(diffLines(before, after)).toHaveLength(1);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
