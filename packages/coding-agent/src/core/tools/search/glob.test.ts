import { describe, expect, it } from "vitest";
import { compileFindPattern, globToRegExp } from "./glob.js";

describe("globToRegExp", () => {
  it.each([
    ["*.ts", "a.ts", true],
    ["*.ts", ".ts", true],
    ["*.ts", "a/b.ts", false],
    ["*", ".hidden", true],
    ["a?c", "abc", true],
    ["a?c", "a/c", false],
    ["a?c", "a😀c", true],
    ["[a-c]x", "bx", true],
    ["[!a-c]x", "bx", false],
    ["[^a-c]x", "dx", true],
    ["[!a]", "/", false],
    ["[]]", "]", true],
    ["[z-a]", "[z-a]", true],
    ["[a", "[a", true],
    ["{a,b}.ts", "b.ts", true],
    ["{a,b}.ts", "c.ts", false],
    ["{a,{b,c}d}", "cd", true],
    ["{a", "{a", true],
    ["x{,.bak}", "x.bak", true],
    ["**", "a/b/c", true],
    ["**/x", "x", true],
    ["**/x", "a/b/x", true],
    ["**/x", "a/bx", false],
    ["a/**", "a/b/c", true],
    ["a/**", "a", false],
    ["a/**/b", "a/b", true],
    ["a/**/b", "a/x/y/b", true],
    ["a/**/b", "ab", false],
    ["a**b", "a/b", false],
    ["a**b", "axxb", true],
    ["{**/a,b}", "x/a", true],
    ["\\*", "*", true],
    ["\\*", "a", false],
    ["(app)/[id]+.ts", "(app)/i+.ts", true],
    ["a.b", "axb", false],
    ["$x^|", "$x^|", true],
    ["é*", "été", true],
  ])("%s on %s: %s", (glob, path, matches) => {
    expect(globToRegExp(glob).test(path)).toBe(matches);
  });
});

describe("compileFindPattern", () => {
  const file = (path: string) => ({ path, isDirectory: false });
  it.each([
    ["a.ts", "x/y/a.ts", true],
    ["src/*.ts", "src/a.ts", true],
    ["src/*.ts", "pkg/src/a.ts", false],
    ["**/src/*.ts", "pkg/src/a.ts", true],
    ["./src/*.ts", "src/a.ts", true],
    ["./*.ts", "x/a.ts", true],
    ["readme*", "README.md", true],
    ["Readme*", "README.md", false],
    ["/w/src/*", "src/a", true],
    ["/w/*", "src/a", false],
    ["/x/*", "src", false],
  ])("%s on %s: %s", (pattern, path, matches) => {
    expect(compileFindPattern(pattern, "/w")(file(path))).toBe(matches);
  });

  it("takes a trailing slash to mean directories", () => {
    const matches = compileFindPattern("src/", "/w");
    expect(matches({ path: "a/src", isDirectory: true })).toBe(true);
    expect(matches(file("a/src"))).toBe(false);
  });
});
