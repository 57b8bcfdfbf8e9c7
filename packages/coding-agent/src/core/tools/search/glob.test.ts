import { describe, expect, it } from "vitest";
import { compileFindPattern, compileGlob, compileGrepGlob } from "./glob.js";

describe("compileGlob", () => {
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
    ["!x", "!x", true],
    ["@(a)", "@(a)", true],
    ["**/*.ts", ".git/x/a.ts", true],
    ["*.{ts,tsx}", "a.tsx", true],
    ["a b*", "a bc", true],
    ["#a", "#a", true],
  ])("%s on %s: %s", async (glob, path, matches) => {
    expect((await compileGlob(glob, { ignoreCase: false }))(path)).toBe(matches);
  });
});

describe("compileFindPattern", () => {
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
  ])("%s on %s: %s", async (pattern, path, matches) => {
    expect((await compileFindPattern(pattern, "/w"))(path, false)).toBe(matches);
  });

  it("takes a trailing slash to mean directories", async () => {
    const matches = await compileFindPattern("src/", "/w");
    expect(matches("a/src", true)).toBe(true);
    expect(matches("a/src", false)).toBe(false);
  });
});

describe("compileGrepGlob", () => {
  it.each([
    ["*.ts", "x/a.ts", "include"],
    ["*.ts", "a.js", "exclude"],
    ["*.ts", "x/", "unsaid"],
    ["src/*.ts", "src/a.ts", "include"],
    ["src/*.ts", "x/src/a.ts", "exclude"],
    ["/a.ts", "a.ts", "include"],
    ["/a.ts", "x/a.ts", "exclude"],
    ["!*.ts", "a.ts", "exclude"],
    ["!*.ts", "a.js", "unsaid"],
    ["!x/", "x/", "exclude"],
    ["!x/", "x", "unsaid"],
    ["x", "x/", "include"],
    ["x", "x/a", "exclude"],
    ["./src/*.ts", "src/a.ts", "include"],
    ["!./a.ts", "a.ts", "exclude"],
  ])("%s on %s: %s", async (glob, path, said) => {
    const filter = await compileGrepGlob(glob);
    expect(filter(path.replace(/\/$/, ""), path.endsWith("/"))).toBe(said);
  });
});
