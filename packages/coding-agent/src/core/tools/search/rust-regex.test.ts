import { describe, expect, it } from "vitest";
import { compilePattern } from "./rust-regex.js";

const plain = { literal: false, ignoreCase: false };

describe("compilePattern", () => {
  it.each([
    ["needle \\d", "a needle 7", true],
    ["(?i)NEEDLE", "needle", true],
    ["NEEDLE", "needle", false],
    ["(?is)x.y", "X\ry", true],
    ["\\Aa", "ab", true],
    ["\\Ab", "ab", false],
    ["b\\z", "ab", true],
    ["a$", "a\r", false],
    ["^$", "", true],
    ["", "x", true],
    ["a.c", "a\u2028c", true],
    ["a.c", "a😀c", true],
    ["[[:alpha:]]+\\d", "ab1", true],
    ["[[:alpha:]_-]x", "-x", true],
    ["[[:^digit:]]", "1", false],
    ["[^[:space:]]", " ", false],
    ["[[:foo:]]", "o", true],
    ["[]]", "]", true],
    ["[^]]", "]", false],
    ["[a-z&&[^b]]", "b", false],
    ["[a-z&&[^b]]", "c", true],
    ["[(){}|/]", "{", true],
    ["[a-]", "-", true],
    ["[-a]", "-", true],
    ["[\\w.]+@", "é.a@", true],
    ["[\\]\\\\]", "\\", true],
    ["[!!##]", "#", true],
    ["\\w", "é", true],
    ["\\bé\\b", "x é y", true],
    ["\\bé\\b", "xé y", false],
    ["\\Bb", "ab", true],
    ["\\<foo\\>", "a foo b", true],
    ["\\b{start}foo", "afoo", false],
    ["(?P<n>a)(?<m>b)(?:c)", "abc", true],
    ["\\x41\\x{42}\\u{43}\\u0044", "ABCD", true],
    ["\\p{Greek}", "α", true],
    ["\\pL\\PL", "a1", true],
    ["\\p{^L}", "a", false],
    ["a{2}b{1,}c{,2}", "aab", true],
    ["a{2", "a{2", "error"],
    ["{", "{", "error"],
    ["}]", "}]", true],
    ['\\-\\ \\#\\@\\"\\/', '- #@"/', true],
    ["a/b", "a/b", true],
    ["a+?b*?c??", "ab", true],
    ["x|y", "y", true],
    ["(", "", "error"],
    ["*", "", "error"],
    ["(?=a)", "", "error"],
    ["(?<!a)", "", "error"],
    ["(a)\\1", "", "error"],
    ["\\q", "", "error"],
    ["a\\nb", "", "error"],
    ["a(?i)b", "", "error"],
    ["[a", "", "error"],
    ["[a--b]", "", "error"],
    ["\\p{Nope}", "", "error"],
  ])("%s on %j: %s", (pattern, line, expected) => {
    if (expected === "error") expect(() => compilePattern(pattern, plain)).toThrow("regex parse error:");
    else expect(compilePattern(pattern, plain).test(line)).toBe(expected);
  });

  it("takes text literally, in any case", () => {
    const text = "a.b*[c]{(^$|\\/-";
    expect(compilePattern(text, { literal: true, ignoreCase: false }).test(`x${text}y`)).toBe(true);
    expect(compilePattern("ÄB", { literal: true, ignoreCase: true }).test("äb")).toBe(true);
    expect(compilePattern("a.b", { literal: true, ignoreCase: false }).test("axb")).toBe(false);
    expect(() => compilePattern("a\nb", { literal: true, ignoreCase: false })).toThrow("not allowed");
  });
});
