import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { terminalInk } from "../../../core/themes/terminal-ink.js";
import { Theme } from "../../../core/themes/theme.js";
import { setCurrentTheme } from "../theme/current.js";
import { DARK_PALETTE, deriveColors } from "../theme/derive.js";
import { renderDiff } from "./render-diff.js";
import { markChanges } from "./word-diff.js";

const mark = (text: string) => `[${text}]`;

describe("marks in a changed line", () => {
  it.each([
    ["const a = 1;", "const a = 2;", "const a = [1];", "const a = [2];"],
    ["  old name", "  new name", "  [old] name", "  [new] name"],
    ["f(x)", "f(x, y)", "f(x)", "f(x[, y])"],
    ["all", "different", "all", "different"],
    ["", "added", "", "added"],
    ["same", "same", "same", "same"],
  ])("%s -> %s", (before, after, markedBefore, markedAfter) => {
    expect(markChanges(before, after, mark)).toEqual({ before: markedBefore, after: markedAfter });
  });

  it("changes nothing but adds marks", () => {
    const line = fc
      .array(fc.constantFrom("a", "bc", " ", "(", ")", "中"), { maxLength: 20 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(line, line, (before, after) => {
        const marked = markChanges(before, after, (text) => `\u0001${text}\u0001`);
        expect(marked.before.replaceAll("\u0001", "")).toBe(before);
        expect(marked.after.replaceAll("\u0001", "")).toBe(after);
      }),
    );
  });
});

describe("a diff in colours", () => {
  beforeAll(() => setCurrentTheme(new Theme(deriveColors(DARK_PALETTE), terminalInk("none"))));

  it("marks words only where one line took the place of one other", () => {
    const inverse = (text: string) => `\x1b[7m${text}\x1b[27m`;
    expect(renderDiff("  1 a\n-2 old word\n+2 new word\n  3 c")).toBe(
      `  1 a\n-2 ${inverse("old")} word\n+2 ${inverse("new")} word\n  3 c`,
    );
    const block = "-2 old word\n-3 more\n+2 new word\n+3 less";
    expect(renderDiff(block)).toBe(block);
  });

  it("keeps every line as it is, tabs as three columns", () => {
    expect(renderDiff("+1 \tx\n    ...")).toBe("+1    x\n    ...");
  });
});
