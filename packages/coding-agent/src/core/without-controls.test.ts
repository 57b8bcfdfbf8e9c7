import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { oneLine, withoutControls } from "./without-controls.js";

describe("messages for people", () => {
  it.each([
    ["bad \u001b[31mred\u001b[0m \u001b[2J", "bad red "],
    ["\u001b]0;title\u0007a\u001b]8;;http://x\u001b\\link", "alink"],
    ["\u009b31mC1 \u009d0;t\u009cx", "C1 x"],
    ["never ended \u001b]52;c;abc", "never ended "],
    ["a\0b\bc\u007fd", "abcd"],
    ["one\r\ntwo\n\tthree\rfour", "one\ntwo\n\tthree\nfour"],
    ["\u202eabc\u2066", "abc"],
    ["ünï 😀 {[<>]}", "ünï 😀 {[<>]}"],
  ])("%j becomes %j", (text, shown) => {
    expect(withoutControls(text)).toBe(shown);
  });
});

describe("texts of one line", () => {
  it.each([
    ["  plain  ", "plain"],
    ["two\r\n\nlines", "two lines"],
    ["\u001b[31mred\u001b[0m\tand\u2028more", "red and more"],
    ["\u001b]0;owned\u0007name", "name"],
    ["\u001b[2J\n", ""],
  ])("%j becomes %j", (text, line) => {
    expect(oneLine(text)).toBe(line);
  });

  it("have no control character, whatever there was", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("\u001b", "[", "]", "m", "\n", "\u009b", "\0", "a", "\u0007") }),
        (text) => {
          expect(oneLine(text)).not.toMatch(/\p{Cc}/u);
          expect(oneLine(oneLine(text))).toBe(oneLine(text));
        },
      ),
    );
  });
});
