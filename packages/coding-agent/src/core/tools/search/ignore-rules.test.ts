import ignore from "ignore";
import { describe, expect, it } from "vitest";
import { judge, RuleFile, type RuleKind, type RuleLevel, spare } from "./ignore-rules.js";

const options = { requireGit: false, global: undefined };

function level(
  dir: string,
  rules: Partial<Record<RuleKind, string>>,
  above?: RuleLevel,
  isRepository = false,
): RuleLevel {
  const files = Object.fromEntries(
    Object.entries(rules).map(([kind, text]) => [kind, new RuleFile(ignore, text, dir, "")]),
  );
  return { above, isRepository, files };
}
const verdict = (rules: RuleLevel, path: string) => judge(rules, path.replace(/\/$/, ""), path.endsWith("/"), options);

describe("ignore rules", () => {
  it.each([
    ["*.log", "a/b.log", "ignored"],
    ["*.log", "b.txt", undefined],
    ["build/", "x/build/", "ignored"],
    ["build/", "x/build", undefined],
    ["/build", "build", "ignored"],
    ["/build", "x/build", undefined],
    ["a/b", "a/b", "ignored"],
    ["a/b", "x/a/b", undefined],
    ["**/b", "x/a/b", "ignored"],
    ["*.log\n!keep.log", "keep.log", "shown"],
    ["!keep.log\n*.log", "keep.log", "ignored"],
    ["# comment\n\n  \nx", "x", "ignored"],
    ["#x", "#x", undefined],
    ["\\#x", "#x", "ignored"],
    ["\\!x", "!x", "ignored"],
    ["x   ", "x", "ignored"],
    ["x\r\ny\r\n", "y", "ignored"],
    ["\ufeffx", "x", "ignored"],
    ["X", "x", undefined],
  ])("%j on %s: %s", (rules, path, expected) => {
    expect(verdict(level("", { git: rules }), path)).toBe(expected);
  });

  it("nearer files go before farther ones", () => {
    const far = level("", { git: "x" });
    expect(verdict(level("a", { git: "!x" }, far), "a/x")).toBe("shown");
    expect(verdict(far, "b/x")).toBe("ignored");
  });

  it("stronger kinds go before weaker ones, however far", () => {
    const far = level("", { plain: "!x", git: "y" });
    const near = level("a", { git: "x" }, far);
    expect(verdict(near, "a/x")).toBe("shown");
    expect(verdict(near, "a/y")).toBe("ignored");
    expect(verdict(level("", { custom: "x", plain: "!x" }), "x")).toBe("ignored");
  });

  it("a repository ends the reach of the .gitignore files above it, not of others", () => {
    const above = level("", { git: "x", plain: "y" });
    const repository = level("r", {}, above, true);
    expect(verdict(repository, "r/x")).toBeUndefined();
    expect(verdict(repository, "r/y")).toBe("ignored");
    expect(verdict(level("r/d", {}, repository), "r/d/x")).toBeUndefined();
  });

  it("without a repository .gitignore counts only where it is told to", () => {
    const rules = level("", { git: "x", plain: "y" });
    const strict = { ...options, requireGit: true };
    expect(judge(rules, "x", false, strict)).toBeUndefined();
    expect(judge(rules, "y", false, strict)).toBe("ignored");
    expect(judge(level("", { git: "x" }, undefined, true), "x", false, strict)).toBe("ignored");
  });

  it("entries of a directory that is shown after all stand for themselves", () => {
    const far = level("", { git: "a b\n*.log" });
    const near = level("p", { git: "!a b" }, far);
    expect(verdict(near, "p/a b/")).toBe("shown");
    const inside = spare(near, "p/a b");
    expect(inside && verdict(inside, "p/a b/c")).toBeUndefined();
    expect(inside && verdict(inside, "p/a b/c.log")).toBe("ignored");
  });
});
