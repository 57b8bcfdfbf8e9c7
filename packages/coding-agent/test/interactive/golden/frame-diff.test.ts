import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Frame, formatFrame, parseFrame } from "./frame.js";
import { frameDiff } from "./frame-diff.js";

const frame = (text: string) => parseFrame(text, 10);

describe("a changed frame", () => {
  it("is drawn beside the stored one, with what changed marked", () => {
    const stored = frame("|Title\n~ 0-4 accent bold\n|→ 中文 a\n|same\n");
    const now = frame("|Title\n~ 0-4 accent\n|→ 中文 b\n|same\n");
    expect(frameDiff(stored, now)).toBe(
      [
        "6 cells in 2 rows differ (^ text, ~ style):",
        " row stored     │ now",
        "   1 Title      │ Title",
        "     ~~~~~      │ ~~~~~",
        "     styles were 0-4 accent bold",
        "     styles are  0-4 accent",
        "   2 → 中文 a   │ → 中文 b",
        "            ^   │        ^",
        "   3 same       │ same",
      ].join("\n"),
    );
  });

  it("tells of rows that came or went, also empty ones", () => {
    expect(frameDiff(frame("|a\n|"), frame("|a"))).toContain(
      "0 cells in 0 rows differ; there were 2 rows, now there are 1",
    );
    expect(frameDiff(frame("|a"), frame("|a\n|b"))).toMatch(/^1 cells in 1 rows differ; .*\n.*\n.*\n {3}2 {12}│ b\n/);
  });
});

const cell = fc.record({
  text: fc.constantFrom("a", "|", "~", " ", "─", "·"),
  style: fc.constantFrom("", "accent", "dim italic on selectedBg"),
});
const frames: fc.Arbitrary<Frame> = fc.array(fc.array(cell, { minLength: 4, maxLength: 4 }), { maxLength: 5 });

describe("a stored frame", () => {
  it("is the same when it is read again", () => {
    fc.assert(
      fc.property(frames, (one) => {
        expect(parseFrame(formatFrame(one), 4)).toEqual(one);
      }),
    );
  });

  it("differs from every other one", () => {
    fc.assert(
      fc.property(frames, frames, (one, other) => {
        expect(frameDiff(one, other) === undefined).toBe(formatFrame(one) === formatFrame(other));
      }),
    );
  });
});
