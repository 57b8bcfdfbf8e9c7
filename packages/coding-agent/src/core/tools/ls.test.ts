import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inTemporaryFolder } from "../../../test/temporary-folder.js";
import { createLsTool, type LsToolInput } from "./ls.js";

let dir: string;
inTemporaryFolder("ls-test-", (path) => {
  dir = path;
});

async function ls(params: LsToolInput = {}) {
  const { content, details } = await createLsTool(dir).execute("1", params);
  return { text: content[0]?.type === "text" ? content[0].text : "", details };
}
const touch = (...names: string[]) => {
  for (const name of names) writeFileSync(join(dir, name), "");
};

describe("ls", () => {
  it("sorts by name without case, the same everywhere, and marks directories", async () => {
    touch("B", "a", ".z", "_q", "10", "9");
    mkdirSync(join(dir, "C"));
    expect(await ls()).toEqual({ text: "_q\n.z\n10\n9\na\nB\nC/", details: undefined });
  });

  it("follows links, and lists dangling ones", async () => {
    mkdirSync(join(dir, "d"));
    symlinkSync("d", join(dir, "link"));
    symlinkSync("nowhere", join(dir, "dangling"));
    expect((await ls()).text).toBe("d/\ndangling\nlink/");
  });

  it("says that a directory is empty", async () => {
    expect((await ls()).text).toBe("(empty directory)");
  });

  it.each([
    [2, "a\nb\n\n[2 entries limit reached. Use limit=4 for more]"],
    [0, "a\n\n[1 entries limit reached. Use limit=2 for more]"],
    [3, "a\nb\nc"],
  ])("limit %d", async (limit, text) => {
    touch("a", "b", "c");
    const result = await ls({ limit });
    expect(result.text).toBe(text);
    expect(result.details).toEqual(limit < 3 ? { entryLimitReached: Math.max(1, limit) } : undefined);
  });

  it("cuts at 50 KB, both notices in one block", async () => {
    const names = Array.from({ length: 600 }, (_, i) => `${String(i).padStart(3, "0")}${"x".repeat(150)}`);
    touch(...names);
    const { text, details } = await ls();
    expect(text.endsWith("\n\n[500 entries limit reached. Use limit=1000 for more. 50.0KB limit reached]")).toBe(true);
    expect(details).toMatchObject({ entryLimitReached: 500, truncation: { truncatedBy: "bytes" } });
  });

  it("names its errors", async () => {
    touch("f");
    await expect(ls({ path: "no" })).rejects.toThrow(`Path not found: ${join(dir, "no")}`);
    await expect(ls({ path: "f" })).rejects.toThrow(`Not a directory: ${join(dir, "f")}`);
    const operations = {
      exists: () => true,
      stat: () => ({ isDirectory: () => true }),
      readdir: () => Promise.reject(new Error("why")),
    };
    await expect(createLsTool(dir, { operations }).execute("1", {})).rejects.toThrow("Cannot read directory: why");
  });
});
