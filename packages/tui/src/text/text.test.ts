import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { replaceControlCharacters, stripTerminalSequences } from "./escapes.js";
import { getOsc8LinkAtColumn, hyperlink } from "./links.js";
import { compositeTuiLine, sliceByColumn } from "./slice.js";
import { truncateToWidth } from "./truncate.js";
import { visibleWidth } from "./width.js";
import { wrapTextWithAnsi } from "./wrap.js";

const sequence = fc.constantFrom(
  "\x1b[1m",
  "\x1b[31m",
  "\x1b[38;5;200m",
  "\x1b[48;2;1;2;3m",
  "\x1b[38:2::9:8:7m",
  "\x1b[4:3m",
  "\x1b[0m",
  "\x1b]8;;https://example.com\x1b\\",
  "\x1b]8;;\x07",
);
const glyph = fc.constantFrom(
  "a",
  "b",
  " ",
  " ",
  "é",
  "e\u0301",
  "中",
  "字",
  "ｶﾞ",
  "กำ",
  "नि",
  "👨‍👩‍👧‍👦",
  "🇩🇪",
  "❤️",
  "1️⃣",
  "\u200b",
  "ש",
  "-",
);
const styled = fc
  .array(fc.oneof({ weight: 5, arbitrary: glyph }, sequence), { maxLength: 40 })
  .map((parts) => parts.join(""));
const columns = fc.integer({ min: 1, max: 30 });

describe("visibleWidth", () => {
  it.each([
    ["a\tb", 5],
    ["中文", 4],
    ["👨‍👩‍👧‍👦", 2],
    ["🇩🇪", 2],
    ["\u{1f1e9}", 2],
    ["e\u0301", 1],
    ["①", 1],
    ["❤️", 2],
    ["1️⃣", 2],
    ["กำ", 2],
    ["\u200b", 0],
    ["नि", 2],
    ["ｶﾞ", 2],
    ["\x1b[31mred\x1b[0m", 3],
    ["\x1b]8;;https://x\x07link\x1b]8;;\x1b\\", 4],
    ["\x1b_pi:c\x07x", 1],
    ["\x1bPq data\x1b\\x", 1],
    ["\u0301", 0],
    ["\ud800", 0],
    ["", 0],
  ])("%j takes %i columns", (text, width) => {
    expect(visibleWidth(text)).toBe(width);
  });

  it("takes two columns for every emoji there is, and for text with a selector what the text takes", () => {
    const unicodeSets: string = "v";
    const emoji = new RegExp(String.raw`^\p{RGI_Emoji}$`, unicodeSets);
    for (let code = 0x23; code <= 0x1ffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const char = String.fromCodePoint(code);
      for (const suffix of ["", "\ufe0f", "\ufe0f\u20e3", "\u{1f3fd}"]) {
        if (emoji.test(char + suffix)) expect(visibleWidth(char + suffix), (char + suffix).toString()).toBe(2);
      }
    }
    expect(["#\ufe0f", "1\ufe0f", "a\ufe0f", "\u2764", "\u261d\u{1f3fd}"].map(visibleWidth)).toEqual([1, 1, 1, 1, 2]);
  });

  it("ignores styles", () => {
    fc.assert(
      fc.property(styled, (text) => {
        // Marks join the glyph before a sequence once it is gone, so only texts without lone marks can be compared.
        expect(visibleWidth(text)).toBe(visibleWidth(stripTerminalSequences(text)));
      }),
    );
  });
});

describe("truncateToWidth", () => {
  it.each([
    ["hello", 5, undefined, false, "hello"],
    ["hello", 4, undefined, false, "h\x1b[0m...\x1b[0m"],
    ["hello", 2, undefined, false, ".."],
    ["hello", 0, undefined, false, ""],
    ["hi", 4, undefined, true, "hi  "],
    ["中文字", 4, "…", true, "中\x1b[0m…\x1b[0m "],
  ])("%j to %i", (text, max, ellipsis, pad, expected) => {
    expect(truncateToWidth(text, max, ellipsis, pad)).toBe(expected);
  });

  it("never exceeds the width, and fills it when asked", () => {
    fc.assert(
      fc.property(styled, columns, fc.constantFrom("", "…", "..."), (text, max, ellipsis) => {
        expect(visibleWidth(truncateToWidth(text, max, ellipsis))).toBeLessThanOrEqual(max);
        expect(visibleWidth(truncateToWidth(text, max, ellipsis, true))).toBe(max);
      }),
    );
  });
});

describe("wrapTextWithAnsi", () => {
  it.each([
    ["", 10, [""]],
    ["hello world", 7, ["hello", "world"]],
    ["  indented words", 10, ["  indented", "words"]],
    ["abcdefgh", 3, ["abc", "def", "gh"]],
    ["中文字", 4, ["中文", "字"]],
    ["ab中文", 3, ["ab", "中", "文"]],
    ["one\ntwo\n", 10, ["one", "two", ""]],
    ["a\r\nb", 10, ["a", "b"]],
    ["中", 1, ["?", "?"]],
    ["\x1b[31mred blue\x1b[0m", 5, ["\x1b[31mred", "\x1b[31mblue\x1b[0m"]],
    ["\x1b[4maa bb", 2, ["\x1b[4maa\x1b[24m", "\x1b[4mbb\x1b[24m"]],
    [hyperlink("aa bb", "u"), 2, ["\x1b]8;;u\x1b\\aa\x1b]8;;\x1b\\", "\x1b]8;;u\x1b\\bb\x1b]8;;\x1b\\"]],
  ])("%j at %i", (text, width, expected) => {
    expect(wrapTextWithAnsi(text, width)).toEqual(expected);
  });

  it("fits each line and loses nothing but spaces", () => {
    const plain = (text: string) => stripTerminalSequences(text).replaceAll(" ", "");
    fc.assert(
      fc.property(styled, fc.integer({ min: 2, max: 30 }), (text, width) => {
        const lines = wrapTextWithAnsi(text, width);
        for (const line of lines) expect(visibleWidth(line)).toBeLessThanOrEqual(width);
        expect(lines.map(plain).join("")).toBe(plain(text));
      }),
    );
  });

  it("wraps plain text as it wraps text with a style that changes nothing", () => {
    const word = fc.constantFrom("a", "bc", "def", "ghijklmnop", " ", "  ", "    ");
    fc.assert(
      fc.property(fc.array(word, { maxLength: 25 }), fc.integer({ min: 1, max: 12 }), (parts, width) => {
        const text = parts.join("");
        const styledLines = wrapTextWithAnsi(`\x1b[0m${text}`, width).map(stripTerminalSequences);
        expect(wrapTextWithAnsi(text, width)).toEqual(styledLines);
      }),
    );
  });

  it("fits a single column", () => {
    fc.assert(
      fc.property(styled, (text) => {
        for (const line of wrapTextWithAnsi(text, 1)) expect(visibleWidth(line)).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe("sliceByColumn", () => {
  it.each([
    ["a中b", 0, 2, false, "a中"],
    ["a中b", 0, 2, true, "a"],
    ["a中b", 2, 2, false, "b"],
    ["\x1b[31mabc", 1, 1, false, "\x1b[31mb"],
    ["e\u0301x", 0, 1, false, "e\u0301"],
    ["abc", 5, 2, false, ""],
  ])("%j from %i, %i long", (line, start, length, strict, expected) => {
    expect(sliceByColumn(line, start, length, strict)).toBe(expected);
  });

  it("two halves make the whole", () => {
    fc.assert(
      fc.property(styled, fc.integer({ min: 0, max: 30 }), (text, at) => {
        const left = sliceByColumn(text, 0, at);
        const right = sliceByColumn(text, at, 1000);
        expect(visibleWidth(sliceByColumn(text, 0, at, true))).toBeLessThanOrEqual(at);
        const cut = Math.max(0, visibleWidth(left) - at);
        expect(visibleWidth(left) + visibleWidth(right)).toBe(visibleWidth(text));
        expect(cut).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe("compositeTuiLine", () => {
  it("turns cut glyphs into spaces and restores the style behind", () => {
    const plain = stripTerminalSequences(compositeTuiLine("中文字母", "XYZ", 1, 4, 8));
    expect(plain).toBe(" XYZ  母");
    expect(compositeTuiLine("\x1b[31mabcdef", "X", 1, 1, 6).endsWith("\x1b[31mcdef")).toBe(true);
  });

  it("keeps the columns", () => {
    fc.assert(
      fc.property(styled, styled, columns, columns, columns, (base, overlay, start, width, total) => {
        const line = compositeTuiLine(base, overlay, start, width, total);
        const box = Math.min(total, start + width);
        expect(visibleWidth(line)).toBeLessThanOrEqual(total);
        expect(visibleWidth(line)).toBeGreaterThanOrEqual(box);
      }),
    );
  });
});

describe("links and control characters", () => {
  it("finds the link under a column", () => {
    const line = `see ${hyperlink("here", "https://x.y")}!`;
    expect([3, 4, 7, 8].map((column) => getOsc8LinkAtColumn(line, column))).toEqual([
      undefined,
      "https://x.y",
      "https://x.y",
      undefined,
    ]);
  });

  it("makes one space of a run", () => {
    expect(replaceControlCharacters("a\r\n\x1bb\x9fc")).toBe("a b c");
  });
});
