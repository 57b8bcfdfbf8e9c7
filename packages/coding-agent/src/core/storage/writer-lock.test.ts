import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { thisProcess } from "./process-identity.js";
import { WriterLock, writerOf } from "./writer-lock.js";

let dir: string;
let path: string;
let lock: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "pi-writer-lock-"));
  path = join(dir, "data");
  lock = `${path}.lock`;
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const since = "2026-11-30T08:00:00.000Z";
const gonePid = 2 ** 22 + 1;
const take = () => WriterLock.take(path);
function taken(): WriterLock {
  const result = take();
  if (!(result instanceof WriterLock)) throw new Error(`held by ${result.pid}`);
  return result;
}
const age = (seconds: number) => utimesSync(lock, Date.now() / 1000 - seconds, Date.now() / 1000 - seconds);

it("names the process, is shared in it, and goes with its last user", () => {
  const first = taken();
  const second = taken();
  expect(JSON.parse(readFileSync(lock, "utf8"))).toMatchObject({ pid: process.pid });
  expect(writerOf(path)).toBeUndefined();
  first.release();
  first.release();
  expect(first.isHeld()).toBe(false);
  expect(second.isHeld()).toBe(true);
  second.release();
  expect(readdirSync(dir)).toEqual([]);
});

it("is that of the file a link leads to", () => {
  writeFileSync(path, "");
  symlinkSync(path, join(dir, "link"));
  const held = WriterLock.take(join(dir, "link"));
  expect(existsSync(lock)).toBe(true);
  if (held instanceof WriterLock) held.release();
});

it.each([
  ["of a living process", { ...thisProcess(), pid: process.ppid, started: "" }, 1000, true],
  ["of one that is gone", { ...thisProcess(), pid: gonePid }, 0, false],
  ["of an earlier process with the same number", { ...thisProcess(), started: "1" }, 0, false],
  ["of another machine that gives signs of life", { ...thisProcess(), host: "other" }, 30, true],
  ["of another machine that is silent", { ...thisProcess(), host: "other" }, 90, false],
])("%s", (_name, record, seconds, isHeld) => {
  writeFileSync(lock, JSON.stringify({ ...record, since }));
  age(seconds);
  expect(writerOf(path)).toEqual(isHeld ? { ...record, since } : undefined);
  const result = take();
  expect(result instanceof WriterLock).toBe(!isHeld);
  if (result instanceof WriterLock) result.release();
  else expect(result).toMatchObject({ pid: record.pid, since });
  expect(existsSync(lock)).toBe(isHeld);
});

it.each<[string, () => void]>([
  ["that says nothing", () => writeFileSync(lock, "")],
  ["that says something odd", () => writeFileSync(lock, "?")],
  ["that says null", () => writeFileSync(lock, "null")],
  ...[0, -1, 1.5, 2 ** 31, 1e12].map((pid): [string, () => void] => [
    `that names process ${pid}, which cannot be`,
    () => writeFileSync(lock, JSON.stringify({ ...thisProcess(), pid, since })),
  ]),
  ["that is a folder", () => mkdirSync(lock)],
])("one %s is honoured until it is old", (_, make) => {
  make();
  age(30);
  const since = statSync(lock).mtime.toISOString();
  expect(take()).toEqual({ pid: 0, since });
  expect(writerOf(path)).toEqual({ pid: 0, since });
  age(90);
  expect(writerOf(path)).toBeUndefined();
  taken().release();
  expect(readdirSync(dir)).toEqual([]);
});

describe("one that is held for a moment only", () => {
  const brief = JSON.stringify({ ...thisProcess(), pid: process.ppid, started: "", since, isBrief: true });

  it("is waited for, and is nobody's who writes", async () => {
    // It runs before it is waited for: a busy machine starts it late.
    const program = `
      const [lock] = process.argv.slice(1);
      const timer = setInterval(() => { if (fs.existsSync(lock + ".go")) { fs.rmSync(lock); clearInterval(timer); } }, 50);
      console.log("ready");`;
    const other = spawn(process.execPath, ["-e", program, lock], { stdio: ["ignore", "pipe", "inherit"] });
    await once(other.stdout, "data");
    writeFileSync(lock, brief);
    expect(writerOf(path)).toBeUndefined();
    writeFileSync(`${lock}.go`, "");
    taken().release();
    expect(readdirSync(dir)).toEqual(["data.lock.go"]);
  });

  it("but not for ever", () => {
    writeFileSync(lock, brief);
    expect(take()).toMatchObject({ pid: process.ppid, since });
  });

  it("says so to others", () => {
    const held = WriterLock.take(path, true);
    expect(JSON.parse(readFileSync(lock, "utf8"))).toMatchObject({ pid: process.pid, isBrief: true });
    if (held instanceof WriterLock) held.release();
  });
});

it("a folder with something in it is no lock, and is named", () => {
  mkdirSync(lock);
  writeFileSync(join(lock, "x"), "");
  age(90);
  expect(take).toThrow(`${lock} is a folder that is no lock. Move it away.`);
  expect(readdirSync(dir)).toEqual(["data.lock"]);
});

it("a link that leads nowhere ends", () => {
  symlinkSync(join(dir, "nowhere"), lock);
  expect(take).toThrow(`${lock} cannot be taken over. Remove it if no other pi is running.`);
});

it("what was taken away is noticed, and not given up for another", () => {
  const held = taken();
  const other = JSON.stringify({ ...thisProcess(), pid: process.ppid, started: "", since });
  writeFileSync(lock, other);
  expect(held.isHeld()).toBe(false);
  expect(take()).toMatchObject({ pid: process.ppid });
  held.release();
  expect(readFileSync(lock, "utf8")).toBe(other);
});
