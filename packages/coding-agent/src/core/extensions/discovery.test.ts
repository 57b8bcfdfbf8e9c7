import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { discoverExtensions } from "./discovery.js";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "pi-extensions-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
}

describe("discoverExtensions", () => {
  it.each<[string, Record<string, string>, string[]]>([
    ["files of both languages, by name", { "b.ts": "", "a.js": "" }, ["a.js", "b.ts"]],
    ["no other endings, no declarations", { "a.mjs": "", "b.cjs": "", "c.mts": "", "d.d.ts": "", "e.md": "" }, []],
    ["index files of folders", { "x/index.ts": "", "y/index.js": "", "z/other.ts": "" }, ["x/index.ts", "y/index.js"]],
    ["TypeScript before JavaScript", { "x/index.ts": "", "x/index.js": "" }, ["x/index.ts"]],
    ["no deeper than one level", { "x/y/index.ts": "" }, []],
    ["a folder that is an extension itself, alone", { "index.ts": "", "other.ts": "" }, ["index.ts"]],
    [
      "what a manifest lists, in its order",
      {
        "x/package.json": '{"pi":{"extensions":["./b.ts","a.ts","none.ts"]}}',
        "x/a.ts": "",
        "x/b.ts": "",
        "x/index.ts": "",
      },
      ["x/b.ts", "x/a.ts"],
    ],
    [
      "folders in manifests",
      { "x/package.json": '{"pi":{"extensions":["src"]}}', "x/src/index.ts": "" },
      ["x/src/index.ts"],
    ],
    [
      "the index when a manifest lists nothing that exists",
      { "x/package.json": '{"pi":{"extensions":["no"]}}', "x/index.ts": "" },
      ["x/index.ts"],
    ],
    ["the index when a manifest is broken", { "x/package.json": "{", "x/index.js": "" }, ["x/index.js"]],
    [
      "the index when a manifest lists no texts",
      { "x/package.json": '{"pi":{"extensions":[1,null]}}', "x/index.js": "" },
      ["x/index.js"],
    ],
    ["nothing hidden and no dependencies", { ".a.ts": "", ".x/index.ts": "", "node_modules/index.ts": "" }, []],
    [
      "what ignore files leave",
      { ".gitignore": "*.ts\n!keep.ts\nout/\n", "a.ts": "", "keep.ts": "", "out/index.ts": "" },
      ["keep.ts"],
    ],
    [
      "what the other ignore files leave",
      { ".ignore": "a.ts", ".fdignore": "b.ts", "a.ts": "", "b.ts": "", "c.ts": "" },
      ["c.ts"],
    ],
  ])("finds %s", (_what, files, expected) => {
    write(files);
    expect(discoverExtensions(root).map((path) => relative(root, path))).toEqual(expected);
  });

  it("follows links, and none that leads nowhere", () => {
    write({ "far/index.ts": "", "near/keep.txt": "" });
    symlinkSync(join(root, "far"), join(root, "near/link"));
    symlinkSync(join(root, "none.ts"), join(root, "near/broken.ts"));
    expect(discoverExtensions(join(root, "near"))).toEqual([join(root, "near/link/index.ts")]);
  });

  it("has nothing to say of a folder that is missing", () => {
    expect(discoverExtensions(join(root, "none"), (path) => expect.unreachable(path))).toEqual([]);
  });
});
