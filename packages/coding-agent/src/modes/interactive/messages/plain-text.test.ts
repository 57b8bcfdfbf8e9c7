import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { harmless, harmlessOutput, unhidden } from "./plain-text.js";

const hostile = fc.string({
  unit: fc.constantFrom("\u001b", "[2J", "]0;t\u0007", "\r", "\n", "\t", "\u009b", "\u202e", "a", "b", "\u007f"),
});

describe("texts at the terminal", () => {
  it.each([
    ["touch pwned #\recho safe", "touch pwned #\necho safe"],
    ["dos\r\nunix\n", "dos\nunix\n"],
    ["a\tb\u001b[31mred\u001b[0m", "a   bred"],
  ])("harmless %j is %j", (text, shown) => {
    expect(harmless(text)).toBe(shown);
  });

  it.each([
    ["1%\r2%\r3%\r\ndone", "3%\ndone"],
    ["10%\r20%\r", "20%"],
    ["\r\r\nnext", "\nnext"],
  ])("output %j is %j, as terminals show it in the end", (text, shown) => {
    expect(harmlessOutput(text)).toBe(shown);
  });

  it.each([
    ["touch pwned #\recho safe", "touch pwned #\necho safe"],
    ["echo \u001b]0;; rm -rf ~;\u0007", "echo ␛]0;; rm -rf ~;␇"],
    ["a\u202eb\u009bc\u007f\td", "a<U+202E>b<U+009B>c␡   d"],
  ])("of what runs, %j, nothing is hidden: %j", (text, shown) => {
    expect(unhidden(text)).toBe(shown);
  });

  it("steer no terminal, whatever they are", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        for (const shown of [harmless(text), harmlessOutput(text), unhidden(text)])
          expect(shown.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
        const letters = (one: string) => one.replace(/[^ab]/g, "");
        expect(letters(unhidden(text))).toBe(letters(text));
      }),
    );
  });
});
