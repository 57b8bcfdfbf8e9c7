import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expandPath, resolveReadPath, resolveToCwd } from "./path-utils.js";

describe("expandPath", () => {
  const linux = { platform: "linux", home: "/home/u" } as const;
  const windows = { platform: "win32", home: "C:\\Users\\u" } as const;
  it.each([
    ["a\u00a0b\u2003c\u202fd\u205fe\u3000f", "a b c d e f"],
    ["@src/a.ts", "src/a.ts"],
    ["@@a", "@a"],
    ["~", "/home/u"],
    ["~/x", "/home/u/x"],
    ["~x", "~x"],
    ["file:///a%20b", "/a b"],
    ["/c/x", "/c/x"],
  ])("%j", (path, expected) => {
    expect(expandPath(path, linux)).toBe(expected);
  });
  it.each([
    ["/c/x/y", "C:\\x\\y"],
    ["/mnt/d/x", "D:\\x"],
    ["/cygdrive/e/x", "E:\\x"],
    ["/c", "C:\\"],
    ["/cc/x", "/cc/x"],
    ["~/x", "C:\\Users\\u\\x"],
  ])("on Windows: %j", (path, expected) => {
    expect(expandPath(path, windows)).toBe(expected);
  });
});

describe("resolveToCwd", () => {
  it.each([
    ["", "/w"],
    ["a/../b", "/w/b"],
    ["/a/./b", "/a/b"],
    ["~", homedir()],
  ])("%j", (path, expected) => {
    expect(resolveToCwd(path, "/w")).toBe(expected);
  });
});

describe("resolveReadPath", () => {
  it.each([
    ["Screenshot 1.02.03 PM.png", "Screenshot 1.02.03\u202fPM.png"],
    ["caf\u00e9.txt", "cafe\u0301.txt"],
    ["it's.txt", "it\u2019s.txt"],
    ["l'\u00e9t\u00e9.txt", "l\u2019e\u0301te\u0301.txt"],
  ])("%j finds %j", async (asked, stored) => {
    const dir = mkdtempSync(join(tmpdir(), "path-test-"));
    try {
      expect(await resolveReadPath(asked, dir)).toBe(join(dir, asked));
      writeFileSync(join(dir, stored), "");
      expect(await resolveReadPath(asked, dir)).toBe(join(dir, stored));
      writeFileSync(join(dir, asked), "");
      expect(await resolveReadPath(asked, dir)).toBe(join(dir, asked));
    } finally {
      rmSync(dir, { recursive: true });
    }
  });
});
