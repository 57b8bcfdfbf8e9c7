import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeDirectories } from "./make-directories.js";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "directories-test-"));
  mkdirSync(join(dir, "d"));
  writeFileSync(join(dir, "f"), "");
  symlinkSync("d", join(dir, "dlink"));
  symlinkSync("f", join(dir, "flink"));
  symlinkSync("nowhere", join(dir, "dangling"));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

const outcome = (make: () => void): string => {
  try {
    make();
    return "made";
  } catch (error) {
    return (error as Error).message;
  }
};

it.each([
  "d",
  "d/",
  "dlink/a/b",
  "x/y/z",
  "f",
  "f/x",
  "f/x/y",
  "flink",
  "flink/x",
  "dangling",
  "n".repeat(300),
  `d/${"n".repeat(300)}/y`,
  "a\0b",
])("%s: as Node's recursive mkdir", (name) => {
  const path = `${dir}/${name}`;
  const own = outcome(() => makeDirectories(path));
  if (own === "made") expect(statSync(path).isDirectory()).toBe(true);
  expect(own).toBe(outcome(() => mkdirSync(path, { recursive: true })));
});

it("gives new directories their mode, and leaves others theirs", () => {
  const before = statSync(join(dir, "d")).mode;
  makeDirectories(join(dir, "d", "a", "b"), 0o700);
  expect(statSync(join(dir, "d")).mode).toBe(before);
  for (const path of ["d/a", "d/a/b"]) expect(statSync(join(dir, path)).mode & 0o777).toBe(0o700);
});

it.runIf(process.platform === "linux")("ends where nothing may be made, and below a link to nowhere", () => {
  expect(() => makeDirectories("/proc/foo/bar")).toThrow(/^ENOENT: no such file or directory, mkdir '\/proc\/foo/);
  expect(() => makeDirectories(join(dir, "dangling/x/y"))).toThrow(/^ENOENT: .* mkdir '.*\/dangling'$/);
  execFileSync("mkfifo", [join(dir, "pipe")]);
  expect(() => makeDirectories(join(dir, "pipe/x"))).toThrow(/^ENOTDIR/);
});
