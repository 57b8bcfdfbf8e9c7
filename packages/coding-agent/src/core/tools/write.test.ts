import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inTemporaryFolder } from "../../../test/temporary-folder.js";
import { replaceFile } from "./replace-file.js";
import { createWriteTool } from "./write.js";

let dir: string;
inTemporaryFolder("write-test-", (path) => {
  dir = path;
});

const write = (path: string, content: string) => createWriteTool(dir).execute("1", { path, content });

describe("write", () => {
  it("creates parents and the file, and replaces it whole", async () => {
    expect(await write("a/b/f.txt", "one\n")).toEqual({
      content: [{ type: "text", text: "Successfully wrote to a/b/f.txt" }],
      details: undefined,
    });
    await write("a/b/f.txt", "");
    expect(readFileSync(join(dir, "a/b/f.txt"), "utf8")).toBe("");
    expect(readdirSync(join(dir, "a/b"))).toEqual(["f.txt"]);
    expect(statSync(join(dir, "a/b/f.txt")).mode & 0o777).toBe(0o666 & ~process.umask());
  });

  it("follows links, also to a file that does not exist yet", async () => {
    mkdirSync(join(dir, "real"));
    symlinkSync("real/f.txt", join(dir, "link"));
    await write("link", "x");
    expect(readFileSync(join(dir, "real/f.txt"), "utf8")).toBe("x");
    await write("link", "y");
    expect(lstatSync(join(dir, "link")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(dir, "real/f.txt"), "utf8")).toBe("y");
  });

  it("passes Node's errors on", async () => {
    mkdirSync(join(dir, "d"));
    writeFileSync(join(dir, "f"), "");
    await expect(write("d", "x")).rejects.toThrow(`EISDIR: illegal operation on a directory, open '${join(dir, "d")}'`);
    await expect(write("f/x", "x")).rejects.toThrow(/^(EEXIST: file already exists, mkdir|ENOTDIR: not a directory)/);
  });

  it.runIf(process.platform === "linux")("ends below a directory that takes no entries", async () => {
    await expect(write("/proc/foo/bar/f", "x")).rejects.toThrow("ENOENT: no such file or directory, mkdir '/proc/foo");
  });

  it("does nothing once aborted, and reports success when the abort came after the write", async () => {
    await expect(createWriteTool(dir).execute("1", { path: "f", content: "x" }, AbortSignal.abort())).rejects.toThrow(
      "Operation aborted",
    );
    expect(existsSync(join(dir, "f"))).toBe(false);
    const controller = new AbortController();
    const operations = { mkdir: async () => undefined, writeFile: async () => controller.abort() };
    const tool = createWriteTool(dir, { operations });
    await expect(tool.execute("1", { path: "f", content: "x" }, controller.signal)).resolves.toBeDefined();
  });
});

describe("replaceFile", () => {
  it("never shows a reader half of a file", async () => {
    const path = join(dir, "f");
    const contents = ["a".repeat(300_000), "b".repeat(300_000)];
    writeFileSync(path, contents[0] ?? "");
    let reading = true;
    const reader = (async () => {
      while (reading) {
        expect(contents).toContain(readFileSync(path, "utf8"));
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    for (let i = 0; i < 10; i++) await replaceFile(path, contents[i % 2] ?? "");
    reading = false;
    await reader;
  });

  it("replaces the inode, and takes mode over", async () => {
    const path = join(dir, "f");
    writeFileSync(path, "x", { mode: 0o640 });
    const before = statSync(path);
    await replaceFile(path, "y");
    const after = statSync(path);
    expect(after.ino).not.toBe(before.ino);
    expect(after.mode).toBe(before.mode);
  });

  it("leaves the old content and no rubbish when the new one cannot be written", async () => {
    const path = join(dir, "f");
    writeFileSync(path, "old");
    const broken = { [Symbol.toPrimitive]: () => "x" } as unknown as string;
    await expect(replaceFile(path, broken)).rejects.toThrow();
    expect(readFileSync(path, "utf8")).toBe("old");
    expect(readdirSync(dir)).toEqual(["f"]);
  });
});
