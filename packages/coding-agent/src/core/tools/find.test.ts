import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { inTemporaryFolder } from "../../../test/temporary-folder.js";
import { createFindTool, type FindToolInput } from "./find.js";

let dir: string;
inTemporaryFolder("find-test-", (path) => {
  dir = path;
});

async function find(params: FindToolInput | string) {
  const input = typeof params === "string" ? { pattern: params } : params;
  const { content, details } = await createFindTool(dir).execute("1", input);
  return { text: content[0]?.type === "text" ? content[0].text : "", details };
}
function put(...names: string[]) {
  for (const name of names) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    if (name.endsWith("/")) mkdirSync(join(dir, name));
    else writeFileSync(join(dir, name), name.endsWith("ignore") ? "*.log\nbuild/\n" : "");
  }
}

describe("find", () => {
  it.each([
    ["*.ts", ".h/c.ts\na.ts\npkg/src/a.ts\nsrc/B.ts"],
    ["src/*.ts", "src/B.ts"],
    ["**/src/*.ts", "pkg/src/a.ts\nsrc/B.ts"],
    ["./a.ts", "a.ts\npkg/src/a.ts"],
    ["./pkg/*", "pkg/src/"],
    ["b.ts", "src/B.ts"],
    ["A.ts", "No files found matching pattern"],
    ["src", "pkg/src/\nsrc/"],
    ["{src,pkg}", "pkg/\npkg/src/\nsrc/"],
    [".h", ".h/"],
    ["node_modules/**", "node_modules/m/\nnode_modules/m/i.js"],
  ])("%s", async (pattern, text) => {
    put("a.ts", "src/B.ts", "pkg/src/a.ts", ".h/c.ts", "node_modules/m/i.js");
    expect(await find(pattern)).toEqual({ text, details: undefined });
  });

  it("takes absolute patterns as given", async () => {
    put("src/a.ts");
    expect((await find(join(dir, "src/*"))).text).toBe("src/a.ts");
  });

  it("respects ignore files, outside a repository too", async () => {
    put(".gitignore", "a.log", "b.txt", "build/x", "d/.ignore", "d/e.log");
    expect((await find("*")).text.split("\n")).toEqual([".gitignore", "b.txt", "d/", "d/.ignore"]);
    expect((await find({ pattern: "*", path: "d" })).text).toBe(".ignore");
  });

  it("respects the excludes of the user and of the repository, linked worktrees included", async () => {
    const before = process.env["HOME"];
    process.env["HOME"] = join(dir, "home");
    try {
      put("home/.config/git/", "w/a.tmp", "w/b.own", "w/c", "main/.git/info/", "main/.git/worktrees/w/");
      writeFileSync(join(dir, "home/.config/git/ignore"), "*.tmp\n");
      writeFileSync(join(dir, "main/.git/info/exclude"), "*.own\n");
      writeFileSync(join(dir, "main/.git/worktrees/w/commondir"), "../..\n");
      writeFileSync(join(dir, "w/.git"), `gitdir: ${join(dir, "main/.git/worktrees/w")}\n`);
      expect((await find({ pattern: "*", path: "w" })).text).toBe("c");
      writeFileSync(join(dir, "home/.gitconfig"), "[core]\n\texcludesFile = ~/mine\n");
      writeFileSync(join(dir, "home/mine"), "c\n");
      expect((await find({ pattern: "*", path: "w" })).text).toBe("a.tmp");
    } finally {
      if (before === undefined) delete process.env["HOME"];
      else process.env["HOME"] = before;
    }
  });

  it("stops at the root of a repository", async () => {
    put(".gitignore", "repo/.git/HEAD", "repo/c.log", "repo/d/.gitignore", "repo/d/e.log", "repo/d/f");
    expect((await find({ pattern: "*", path: "repo" })).text.split("\n")).toEqual([
      "c.log",
      "d/",
      "d/.gitignore",
      "d/f",
    ]);
    expect((await find({ pattern: "*", path: "repo/d" })).text.split("\n")).toEqual([".gitignore", "f"]);
  });

  it("leaves .git out, unless the path is inside it", async () => {
    put(".git/HEAD", "a");
    expect((await find("*")).text).toBe("a");
    expect((await find({ pattern: "*", path: ".git" })).text).toBe("HEAD");
  });

  it("lists empty directories and links, not those that are ignored", async () => {
    put(".gitignore", "empty/", "nested/inner/", "build/", "src/build/", "full/a");
    symlinkSync("full", join(dir, "link"));
    symlinkSync("nowhere", join(dir, "dangling.log"));
    expect((await find("*")).text.split("\n")).toEqual([
      ".gitignore",
      "empty/",
      "full/",
      "full/a",
      "link",
      "nested/",
      "nested/inner/",
      "src/",
    ]);
  });

  it.each([
    [2, "a\nb\n\n[2 results limit reached. Use limit=4 for more, or refine pattern]", { resultLimitReached: 2 }],
    [3, "a\nb\nc", undefined],
    [0, "a\n\n[1 results limit reached. Use limit=2 for more, or refine pattern]", { resultLimitReached: 1 }],
  ])("limit %d", async (limit, text, details) => {
    put("c", "a", "b");
    expect(await find({ pattern: "*", limit })).toEqual({ text, details });
  });

  it("cuts at 50 KB", async () => {
    put(...Array.from({ length: 400 }, (_, i) => `${i}${"x".repeat(200)}`));
    const { text, details } = await find("*");
    expect(text.endsWith("\n\n[50.0KB limit reached]")).toBe(true);
    expect(details?.truncation?.truncatedBy).toBe("bytes");
  });

  it("names its errors", async () => {
    put("f");
    await expect(find({ pattern: "*", path: "no" })).rejects.toThrow(`Path not found: ${join(dir, "no")}`);
    await expect(find({ pattern: "*", path: "f" })).rejects.toThrow(`Not a directory: ${join(dir, "f")}`);
  });

  it("asks custom operations for one more than the limit", async () => {
    const asked: unknown[] = [];
    const operations = {
      exists: () => true,
      glob: (...args: unknown[]) => {
        asked.push(args);
        return ["/remote/a", "b", "/remote/c"];
      },
    };
    const run = (limit: number) => createFindTool("/remote", { operations }).execute("1", { pattern: "*", limit });
    expect((await run(2)).content[0]).toMatchObject({ text: "a\nb\n\n[2 results limit reached]" });
    expect(asked).toEqual([["*", "/remote", { ignore: ["**/node_modules/**", "**/.git/**"], limit: 3 }]]);
    expect((await run(3)).details).toBeUndefined();
    const missing = createFindTool("/remote", { operations: { ...operations, exists: () => false } });
    await expect(missing.execute("1", { pattern: "*" })).rejects.toThrow("Path not found: /remote");
  });
});
