import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inTemporaryFolder } from "../../../test/temporary-folder.js";
import { readTextIfExists, reasonOf } from "./read-text.js";

let dir: string;
inTemporaryFolder("pi-read-text-", (path) => {
  dir = path;
});
const isWindows = process.platform === "win32";

describe("readTextIfExists", () => {
  it("text without its byte order mark, or nothing", () => {
    writeFileSync(join(dir, "file"), "\uFEFF\u00E4 \uFEFF");
    symlinkSync("file", join(dir, "link"));
    const read = (name: string) => readTextIfExists(join(dir, name));
    expect([read("file"), read("link"), read("none"), read("none/file"), read("file/below")]).toEqual([
      "\u00E4 \uFEFF",
      "\u00E4 \uFEFF",
      undefined,
      undefined,
      undefined,
    ]);
  });

  it.skipIf(isWindows).each<[string, (path: string) => unknown, string]>([
    ["a directory", (path) => mkdirSync(path), "it is a directory, but a file is expected there"],
    [
      "a pipe that nobody writes to",
      (path) => execFileSync("mkfifo", [path]),
      "it is a named pipe, but a file is expected there",
    ],
    ["a device", (path) => symlinkSync("/dev/zero", path), "it is a device, but a file is expected there"],
    ["a socket", listen, "it is a socket or a device, but a file is expected there"],
    ["a link to nothing", (path) => symlinkSync("/nowhere/at/all", path), "it is a link to nothing"],
    ["a link in circles", (path) => symlinkSync(path, path), "it is a link that leads in circles"],
  ])("%s is said, and never read", async (_name, make, reason) => {
    const path = join(dir, "file");
    const made = await make(path);
    const error = failure(() => readTextIfExists(path));
    expect(error.message).toMatch(`Cannot read ${path}: ${reason}. `);
    expect(reasonOf(error)).toBe(reason);
    if (typeof made === "function") made();
  });

  // The superuser can read everything.
  it.skipIf(process.getuid?.() === 0)("rights", () => {
    const path = join(dir, "file");
    writeFileSync(path, "");
    chmodSync(path, 0);
    expect(reasonOf(failure(() => readTextIfExists(path)))).toBe("this user may not read it");
  });
});

describe("reasonOf", () => {
  it.each<[unknown, string]>([
    [new Error("Something is wrong."), "Something is wrong"],
    [Object.assign(new Error("ELOOP: too many"), { code: "ELOOP" }), "it is a link that leads in circles"],
    [Object.assign(new Error("EACCES: denied"), { code: "EACCES" }), "this user may not read it"],
    ["a text", "a text"],
  ])("%s", (error, reason) => {
    expect(reasonOf(error)).toBe(reason);
  });
});

function failure(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error("expected an error");
}

async function listen(path: string): Promise<() => void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return () => void server.close();
}
