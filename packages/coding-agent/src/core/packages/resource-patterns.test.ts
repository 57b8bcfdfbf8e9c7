import { describe, expect, it } from "vitest";
import { globPattern, isEnabled, isIncluded, patternEntries } from "./resource-patterns.js";

describe("entries that choose among resources", () => {
  it.each<[string, string[], boolean]>([
    ["/b/x/a.ts", [], true],
    ["/b/x/a.ts", ["!x/*"], false],
    ["/b/x/a.ts", ["!*.ts"], false],
    ["/b/x/a.ts", ["!/b/**"], false],
    ["/b/x/a.ts", ["!y/*"], true],
    ["/b/x/a.ts", ["!x/*", "+x/a.ts"], true],
    ["/b/x/a.ts", ["!x/*", "+./x/a.ts"], true],
    ["/b/x/a.ts", ["+x/a.ts", "-x/a.ts"], false],
    ["/b/x/a.ts", ["-/b/x/a.ts"], false],
    ["/b/x/a.ts", ["-x"], true],
    ["/b/s/one/SKILL.md", ["!one"], false],
    ["/b/s/one/SKILL.md", ["-s/one"], false],
    ["/b/s/one/SKILL.md", ["!s/*", "+s/one"], true],
  ])("%s with %j: %s", (path, entries, expected) => {
    expect(isEnabled(path, "/b", patternEntries(entries), true)).toBe(expected);
  });

  it.each<[string, string, boolean]>([
    ["/b/x/a.ts", "x/a.ts", true],
    ["/b/x/a.ts", "./x", true],
    ["/b/x/a.ts", "x/", true],
    ["/b/x/a.ts", "x/*.ts", true],
    ["/b/x/a.ts", "y", false],
    ["/b/xy/a.ts", "x", false],
    ["/b/s/one/SKILL.md", "s/one", true],
  ])("%s is included by %s: %s", (path, entry, expected) => {
    expect(isIncluded(path, "/b", entry)).toBe(expected);
  });
});

describe("globs", () => {
  it.each<[string, string, boolean]>([
    ["*.ts", "a.ts", true],
    ["*.ts", "x/a.ts", false],
    ["**/*.ts", "a.ts", true],
    ["**/*.ts", "x/y/a.ts", true],
    ["x/**", "x/y/a.ts", true],
    ["x/**", "x", false],
    ["?.ts", "a.ts", true],
    ["?.ts", "ab.ts", false],
    ["./a+(b).ts", "a+(b).ts", true],
    ["*", ".hidden", false],
    ["**/*.ts", ".git/a.ts", false],
    ["x/*", "x/.env", false],
    [".*", ".env", true],
    ["/b/**", "/b/x/a.ts", true],
  ])("%s, %s: %s", (glob, path, expected) => {
    expect(globPattern(glob).test(path)).toBe(expected);
  });
});
