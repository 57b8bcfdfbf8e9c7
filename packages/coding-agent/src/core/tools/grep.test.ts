import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { inTemporaryFolder } from "../../../test/temporary-folder.js";
import { createGrepTool, type GrepToolInput } from "./grep.js";

let dir: string;
inTemporaryFolder("grep-test-", (path) => {
  dir = path;
});

async function grep(params: GrepToolInput) {
  const { content, details } = await createGrepTool(dir).execute("1", params);
  return { text: content[0]?.type === "text" ? content[0].text : "", details };
}
function put(files: Record<string, string | Buffer>) {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), content);
  }
}

describe("grep", () => {
  it.each(["needle", "[a-z]"])(
    "a line of 2 MB takes no long time, for %s",
    async (pattern) => {
      put({ "min.js": `first\n${"needle,".repeat(300_000)}`, "z.js": "a needle\n" });
      const { text, details } = await grep({ pattern, limit: 9 });
      const long = `min.js:2: ${"needle,".repeat(72).slice(0, 500)}... [truncated]`;
      expect(text.split("\n\n")[0]?.split("\n")).toEqual([
        ...(pattern === "needle" ? [] : ["min.js:1: first"]),
        long,
        "z.js:1: a needle",
      ]);
      expect(details).toEqual({ linesTruncated: true });
    },
    5000,
  );

  it("finds lines, sorted by path, hidden files included", async () => {
    put({ "b.ts": "x\nneedle 1\n", "a/z.ts": "needle 2", ".env": "needle 3\n", "a.ts": "NEEDLE" });
    expect(await grep({ pattern: "needle \\d" })).toEqual({
      text: ".env:1: needle 3\na/z.ts:1: needle 2\nb.ts:2: needle 1",
      details: undefined,
    });
    expect((await grep({ pattern: "needle", ignoreCase: true, glob: "a.ts" })).text).toBe("a.ts:1: NEEDLE");
  });

  it("says when nothing matches", async () => {
    put({ a: "x" });
    expect(await grep({ pattern: "y" })).toEqual({ text: "No matches found", details: undefined });
  });

  it("takes patterns literally, and patterns that look like options", async () => {
    put({ a: "a.b\naxb\n--files\n" });
    expect((await grep({ pattern: "a.b", literal: true })).text).toBe("a:1: a.b");
    expect((await grep({ pattern: "--files" })).text).toBe("a:3: --files");
  });

  it.each([
    ["*.ts", "a.ts:1: x\nsrc/b.ts:1: x"],
    ["./src/*.ts", "src/b.ts:1: x"],
    ["!*.ts", "c.js:1: x"],
    ["src/**", "src/b.ts:1: x"],
  ])("glob %s", async (glob, text) => {
    put({ "a.ts": "x", "src/b.ts": "x", "c.js": "x" });
    expect((await grep({ pattern: "x", glob })).text).toBe(text);
  });

  it("searches one file, also an ignored one, under its base name", async () => {
    put({ ".gitignore": "*.log\n", ".git/HEAD": "", "d/a.log": "x\ny\n" });
    expect((await grep({ pattern: "x" })).text).toBe("No matches found");
    expect((await grep({ pattern: "x", path: "d/a.log" })).text).toBe("a.log:1: x");
    expect((await grep({ pattern: "x", path: "d" })).text).toBe("No matches found");
  });

  it("leaves the repository's own data out, unless asked for it", async () => {
    put({ ".git/config": "needle", "sub/.git": "needle", a: "needle" });
    expect((await grep({ pattern: "needle" })).text).toBe("a:1: needle");
    expect((await grep({ pattern: "needle", path: ".git" })).text).toBe("config:1: needle");
  });

  it("shows context without separators, floored", async () => {
    put({ a: "1\n2\nx\n4\n5\n6\n7\nx\n" });
    expect((await grep({ pattern: "x", context: 1.9 })).text).toBe("a-2- 2\na:3: x\na-4- 4\na-7- 7\na:8: x");
  });

  it.each([
    [
      2,
      "a:1: x\na:2: x\n\n[2 matches limit reached. Use limit=4 for more, or refine pattern]",
      { matchLimitReached: 2 },
    ],
    [0, "a:1: x\n\n[1 matches limit reached. Use limit=2 for more, or refine pattern]", { matchLimitReached: 1 }],
    [3, "a:1: x\na:2: x\nb:1: x", undefined],
  ])("limit %d over all files", async (limit, text, details) => {
    put({ a: "x\nx\n", b: "x\n" });
    expect(await grep({ pattern: "x", limit })).toEqual({ text, details });
  });

  it("shows a match in the trailing context of the last one as context", async () => {
    put({ a: "x1\nx2\n3\n4\n" });
    expect((await grep({ pattern: "x", limit: 1, context: 1 })).text).toBe(
      "a:1: x1\na-2- x2\n\n[1 matches limit reached. Use limit=2 for more, or refine pattern]",
    );
  });

  it("puts all notices in one block, in order", async () => {
    put({ a: `${"x".repeat(600)}\n`.repeat(200) });
    const { text, details } = await grep({ pattern: "x" });
    expect(text.split("\n\n[")[1]).toBe(
      "100 matches limit reached. Use limit=200 for more, or refine pattern. 50.0KB limit reached. Some lines truncated to 500 chars. Use read tool to see full lines]",
    );
    expect(details).toMatchObject({
      matchLimitReached: 100,
      linesTruncated: true,
      truncation: { truncatedBy: "bytes" },
    });
  });

  it("stops a search that has enough", async () => {
    put({ a: "x\n".repeat(1_000_000) });
    const started = performance.now();
    await grep({ pattern: "x", limit: 5 });
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it("names its errors", async () => {
    await expect(grep({ pattern: "x", path: "no" })).rejects.toThrow(`Path not found: ${join(dir, "no")}`);
    await expect(grep({ pattern: "(" })).rejects.toThrow(/regex parse error:/);
    await expect(createGrepTool(dir).execute("1", { pattern: "x" }, AbortSignal.abort())).rejects.toThrow(
      "Operation aborted",
    );
  });
});
