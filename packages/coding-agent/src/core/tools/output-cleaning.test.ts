import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ControlStripper, cleanOutput, OutputCleaner, stripControls } from "./output-cleaning.js";

const ESC = "\x1b";

describe("stripControls", () => {
  it.each([
    ["colours", `${ESC}[1;31mred${ESC}[0m`, "red"],
    ["cursor movement and private modes", `${ESC}[2K${ESC}[?25lx${ESC}[10;5H`, "x"],
    ["titles and links", `${ESC}]0;title\x07a${ESC}]8;;http://x${ESC}\\b${ESC}]8;;${ESC}\\`, "ab"],
    ["other escapes", `${ESC}(Ba${ESC}7b${ESC}=`, "ab"],
    ["8-bit introducers", "\x9b31mred\x9d0;t\x9c", "red"],
    ["control characters but tab, newline and return", "a\0\x07\x08\x7f\x85\tb\nc\r", "a\tb\nc\r"],
    ["annotation characters", "a\ufff9b\ufffac\ufffb", "abc"],
    ["ordinary text stays", "é漢😀 [31m", "é漢😀 [31m"],
  ])("%s", (_name, text, expected) => {
    expect(stripControls(text)).toBe(expected);
  });
});

describe("cleanOutput", () => {
  it.each([
    ["progress lines", "10%\r20%\r100%\ndone", "100%\ndone"],
    ["CRLF", "a\r\nb\r\n", "a\nb\n"],
    ["a return at the end of a line overwrites nothing", "50%\r", "50%"],
    ["two returns before a newline", "a\r\r\nb", "a\nb"],
    ["every line for itself", "a\rb\nc\rd\r\ne", "b\nd\ne"],
    ["erased and rewritten", `x${ESC}[2K\r${ESC}[32my${ESC}[0m\n`, "y\n"],
  ])("%s", (_name, text, expected) => {
    expect(cleanOutput(text)).toBe(expected);
  });
});

const piece = fc.constantFrom(
  "a",
  "b",
  "\n",
  "\r",
  `${ESC}[31m`,
  `${ESC}[`,
  "1;2",
  "m",
  `${ESC}]0;t`,
  "\x07",
  ESC,
  "\\",
  "\0",
  "é",
);
const text = fc.array(piece, { maxLength: 25 }).map((parts) => parts.join(""));

/** Cuts a text into pieces at random places. */
const cut = fc.tuple(text, fc.array(fc.nat(60), { maxLength: 5 })).map(([whole, places]) => {
  const at = [...new Set(places.map((place) => place % (whole.length + 1)))].sort((a, b) => a - b);
  return { whole, pieces: [...at, whole.length].map((end, i) => whole.slice(at[i - 1] ?? 0, end)) };
});

describe("pieces", () => {
  it("clean to the same text as the whole, wherever it is cut", () => {
    fc.assert(
      fc.property(cut, ({ whole, pieces }) => {
        const stripper = new ControlStripper();
        // What is still held at the end is the beginning of an escape, not text.
        const stripped = pieces.map((part) => stripper.push(part)).join("");
        expect(stripped).toBe(new ControlStripper().push(whole));
        const cleaner = new OutputCleaner();
        let shown = "";
        for (const part of pieces) {
          const { text: clean, restartsLine } = cleaner.push(part);
          if (restartsLine) shown = shown.slice(0, shown.lastIndexOf("\n") + 1);
          shown += clean;
        }
        expect(shown).toBe(cleanOutput(whole));
      }),
      { numRuns: 3000 },
    );
  });

  it("hold back at most 256 units of an unfinished escape", () => {
    const stripper = new ControlStripper();
    expect(stripper.push(`a${ESC}]0;${"t".repeat(200)}`)).toBe("a");
    expect(stripper.push("t".repeat(100))).toBe(`0;${"t".repeat(300)}`);
  });
});
