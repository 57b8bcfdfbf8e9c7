import { describe, expect, it } from "vitest";
import { isIgnored, parseIgnoreRules } from "./ignore-rules.js";

const ignored = (rules: string, path: string) => {
  const isDirectory = path.endsWith("/");
  return isIgnored(`/w/${path.replace(/\/$/, "")}`, isDirectory, [{ dir: "/w", rules: parseIgnoreRules(rules) }]);
};

describe("ignore rules", () => {
  it.each([
    ["*.log", "a/b.log", true],
    ["*.log", "b.txt", false],
    ["build/", "x/build/", true],
    ["build/", "x/build", false],
    ["/build", "build", true],
    ["/build", "x/build", false],
    ["a/b", "a/b", true],
    ["a/b", "x/a/b", false],
    ["**/b", "x/a/b", true],
    ["*.log\n!keep.log", "keep.log", false],
    ["!keep.log\n*.log", "keep.log", true],
    ["# comment\n\n  \nx", "x", true],
    ["#x", "#x", false],
    ["\\#x", "#x", true],
    ["\\!x", "!x", true],
    ["x   ", "x", true],
    ["{a,b}", "a", false],
    ["{a,b}", "{a,b}", true],
    ["x\r\ny\r\n", "y", true],
  ])("%j on %s: %s", (rules, path, expected) => {
    expect(ignored(rules, path)).toBe(expected);
  });

  it("nearer files go before farther ones, and say nothing about what is outside", () => {
    const near = { dir: "/w/a", rules: parseIgnoreRules("!x") };
    const far = { dir: "/w", rules: parseIgnoreRules("x") };
    expect(isIgnored("/w/a/x", false, [near, far])).toBe(false);
    expect(isIgnored("/w/b/x", false, [near, far])).toBe(true);
  });
});
