import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { inTemporaryFolder } from "../../../test/temporary-folder.js";
import { createGrepTool, type GrepToolInput } from "./grep.js";

const ripgrep = vi.hoisted(() => ({ path: undefined as string | undefined }));
vi.mock("./search/ripgrep.js", async (original) => ({
  ...(await original<typeof import("./search/ripgrep.js")>()),
  findRipgrep: async () => ripgrep.path,
}));

let dir: string;
inTemporaryFolder("grep-fallback-test-", (path) => {
  dir = path;
});

async function grep(params: GrepToolInput, signal?: AbortSignal) {
  const { content, details } = await createGrepTool(dir).execute("1", params, signal);
  return { text: content[0]?.type === "text" ? content[0].text : "", details };
}

describe.each([
  ["there is no ripgrep", undefined],
  ["ripgrep is not there after all", "/nonexistent/rg"],
  ["ripgrep is no program", import.meta.filename],
])("grep when %s", (_name, path) => {
  beforeEach(() => {
    ripgrep.path = path;
  });

  it("finds lines, with the same notices", async () => {
    mkdirSync(join(dir, "a"));
    writeFileSync(join(dir, "b.ts"), "x\nneedle 1\ny\n");
    writeFileSync(join(dir, "a", "z.ts"), `needle 2\r\n${"n".repeat(600)}`);
    expect((await grep({ pattern: "needle \\d", context: 1 })).text).toBe(
      `a/z.ts:1: needle 2\na/z.ts-2- ${"n".repeat(500)}... [truncated]\nb.ts-1- x\nb.ts:2: needle 1\nb.ts-3- y\n\n[Some lines truncated to 500 chars. Use read tool to see full lines]`,
    );
    expect(await grep({ pattern: "needle", limit: 1 })).toEqual({
      text: "a/z.ts:1: needle 2\n\n[1 matches limit reached. Use limit=2 for more, or refine pattern]",
      details: { matchLimitReached: 1 },
    });
    expect((await grep({ pattern: "nothing" })).text).toBe("No matches found");
  });

  it("searches a file whatever it holds, under its base name", async () => {
    writeFileSync(join(dir, "f"), "\0\nneedle");
    writeFileSync(join(dir, "u"), Buffer.from("\ufeffneedle é\n", "utf16le"));
    expect((await grep({ pattern: "needle", path: "f" })).text).toBe("f:2: needle");
    expect((await grep({ pattern: "^needle" })).text).toBe("u:1: needle é");
  });

  it("takes a line of 30 MB", async () => {
    const line = "needle,".repeat(4_000_000);
    writeFileSync(join(dir, "u"), Buffer.from(`\ufeffx\n${line}\ny`, "utf16le"));
    writeFileSync(join(dir, "v"), `x\n${line}\ny`);
    const shown = `${line.slice(0, 500)}... [truncated]`;
    expect((await grep({ pattern: "needle" })).text.split("\n").slice(0, 2)).toEqual([
      `u:2: ${shown}`,
      `v:2: ${shown}`,
    ]);
  }, 10_000);

  it("names its errors", async () => {
    await expect(grep({ pattern: "(" })).rejects.toThrow(/^regex parse error:/);
    await expect(grep({ pattern: "x", path: "no" })).rejects.toThrow(`Path not found: ${join(dir, "no")}`);
    await expect(grep({ pattern: "x" }, AbortSignal.abort())).rejects.toThrow("Operation aborted");
  });
});
