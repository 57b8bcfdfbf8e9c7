import {
  chmodSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inTemporaryFolder } from "../../../test/temporary-folder.js";
import { createEditTool, createEditToolDefinition, prepareEditArguments } from "./edit.js";

let dir: string;
inTemporaryFolder("edit-test-", (path) => {
  dir = path;
});

const edit = (path: string, ...edits: [string, string][]) =>
  createEditTool(dir).execute("1", { path, edits: edits.map(([oldText, newText]) => ({ oldText, newText })) });

describe("edit", () => {
  it("changes the file and reports text, diff, patch and first changed line", async () => {
    writeFileSync(join(dir, "f.txt"), "a\nb\nc\n");
    expect(await edit("f.txt", ["b", "B"])).toEqual({
      content: [{ type: "text", text: "Successfully replaced 1 block(s) in f.txt." }],
      details: {
        diff: " 1 a\n-2 b\n+2 B\n 3 c",
        patch: "--- f.txt\n+++ f.txt\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n",
        firstChangedLine: 2,
      },
    });
    expect(readFileSync(join(dir, "f.txt"), "utf8")).toBe("a\nB\nc\n");
    expect(readdirSync(dir)).toEqual(["f.txt"]);
  });

  it("says when an edit matched only by normalising", async () => {
    writeFileSync(join(dir, "f.txt"), "a\n\u201cb\u201d\n");
    const result = await edit("f.txt", ["a", "A"], ['"b"', "B"]);
    expect(result.content[0]).toMatchObject({
      text: expect.stringMatching(
        /^Successfully replaced 2 block\(s\) in f\.txt\. Not found as written, .*: edits\[1\]\.$/,
      ),
    });
  });

  it("refuses no edits, missing files, and bytes that are not UTF-8", async () => {
    writeFileSync(join(dir, "latin1.txt"), Buffer.from([0x61, 0xe9, 0x62]));
    writeFileSync(join(dir, "utf16.txt"), Buffer.from("\uFEFFa", "utf16le"));
    await expect(edit("f.txt")).rejects.toThrow(
      "Edit tool input is invalid. edits must contain at least one replacement.",
    );
    await expect(edit("f.txt", ["a", "b"])).rejects.toThrow(/^Could not edit file: f\.txt\. Error code: ENOENT\./);
    for (const name of ["latin1.txt", "utf16.txt"]) {
      await expect(edit(name, ["a", "b"])).rejects.toThrow(`Could not edit file: ${name}. Not valid UTF-8.`);
    }
    expect([...readFileSync(join(dir, "latin1.txt"))]).toEqual([0x61, 0xe9, 0x62]);
  });

  it("names errors without a code", async () => {
    const operations = {
      access: () => Promise.reject(new Error("no link")),
      readFile: () => Promise.reject(new Error("unused")),
      writeFile: () => Promise.reject(new Error("unused")),
    };
    const tool = createEditTool(dir, { operations });
    await expect(tool.execute("1", { path: "f", edits: [{ oldText: "a", newText: "b" }] })).rejects.toThrow(
      "Could not edit file: f. Error: no link.",
    );
  });

  it("keeps mode, links and hard links", async () => {
    const target = join(dir, "target.sh");
    writeFileSync(target, "a\n");
    chmodSync(target, 0o751);
    symlinkSync("target.sh", join(dir, "link.sh"));
    await edit("link.sh", ["a", "b"]);
    expect(lstatSync(join(dir, "link.sh")).isSymbolicLink()).toBe(true);
    expect(statSync(target).mode & 0o777).toBe(0o751);
    linkSync(target, join(dir, "hard.sh"));
    await edit("target.sh", ["b", "c"]);
    expect(readFileSync(join(dir, "hard.sh"), "utf8")).toBe("c\n");
  });

  it("runs edits of one file one after another, whatever name it goes by", async () => {
    writeFileSync(join(dir, "f.txt"), Array.from({ length: 20 }, (_, i) => `<${i}>`).join("\n"));
    symlinkSync("f.txt", join(dir, "g.txt"));
    await Promise.all(Array.from({ length: 20 }, (_, i) => edit(i % 2 ? "f.txt" : "g.txt", [`<${i}>`, `[${i}]`])));
    expect(readFileSync(join(dir, "f.txt"), "utf8")).toBe(Array.from({ length: 20 }, (_, i) => `[${i}]`).join("\n"));
  });

  it("changes nothing once aborted, and reports success when the abort came after the write", async () => {
    const path = join(dir, "f.txt");
    writeFileSync(path, "a");
    const aborted = AbortSignal.abort();
    const input = { path: "f.txt", edits: [{ oldText: "a", newText: "b" }] };
    await expect(createEditTool(dir).execute("1", input, aborted)).rejects.toThrow("Operation aborted");
    expect(readFileSync(path, "utf8")).toBe("a");
    const controller = new AbortController();
    const tool = createEditTool(dir, {
      operations: {
        access: async () => undefined,
        readFile: async () => Buffer.from("a"),
        writeFile: async () => controller.abort(),
      },
    });
    await expect(tool.execute("1", input, controller.signal)).resolves.toMatchObject({
      content: [{ text: "Successfully replaced 1 block(s) in f.txt." }],
    });
  });

  it("is a plain object that works without this and context", async () => {
    writeFileSync(join(dir, "f.txt"), "a");
    const { execute } = { ...createEditToolDefinition(dir) };
    await execute(
      "1",
      { path: "f.txt", edits: [{ oldText: "a", newText: "b" }] },
      undefined,
      undefined,
      undefined as never,
    );
    expect(readFileSync(join(dir, "f.txt"), "utf8")).toBe("b");
  });
});

describe("prepareEditArguments", () => {
  const pair = { oldText: "a", newText: "b" };
  it.each([
    ["a right shape", { path: "p", edits: [pair] }, { path: "p", edits: [pair] }],
    ["edits as JSON text", { path: "p", edits: JSON.stringify([pair]) }, { path: "p", edits: [pair] }],
    ["one edit as JSON text", { path: "p", edits: JSON.stringify(pair) }, { path: "p", edits: [pair] }],
    ["one bare edit", { path: "p", edits: pair }, { path: "p", edits: [pair] }],
    ["the pair beside path", { path: "p", ...pair }, { path: "p", edits: [pair] }],
    [
      "both",
      { path: "p", edits: [{ oldText: "x", newText: "y" }], ...pair },
      { path: "p", edits: [{ oldText: "x", newText: "y" }, pair] },
    ],
    ["unparsable text", { path: "p", edits: "[{" }, { path: "p", edits: "[{" }],
    ["half a pair", { path: "p", oldText: "a" }, { path: "p", oldText: "a" }],
    ["no object", "text", "text"],
    ["nothing", null, null],
  ])("%s", (_name, raw, expected) => {
    expect(prepareEditArguments(raw)).toEqual(expected);
  });

  it("leaves what it was given alone", () => {
    const raw = { path: "p", edits: JSON.stringify([pair]), ...pair };
    prepareEditArguments(raw);
    expect(raw).toEqual({ path: "p", edits: JSON.stringify([pair]), ...pair });
  });
});
