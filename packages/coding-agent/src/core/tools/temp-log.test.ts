import {
  closeSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { purgeOldLogs, TempLog } from "./temp-log.js";

const HOUR = 60 * 60 * 1000;
const log = (letter: string, prefix = "pi-bash") => `${prefix}-${letter.repeat(16)}.log`;

let dir: string;
const tmpBefore = process.env["TMPDIR"];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "purge-test-"));
});
afterEach(() => {
  rmSync(dir, { recursive: true });
  if (tmpBefore === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = tmpBefore;
});

function put(name: string, ageHours: number) {
  const time = (Date.now() - ageHours * HOUR) / 1000;
  writeFileSync(join(dir, name), "");
  utimesSync(join(dir, name), time, time);
}

describe("purgeOldLogs", () => {
  it("removes logs of its own prefix that nobody has written for a day", async () => {
    put(log("a"), 25);
    put(log("b"), 23);
    put("pi-bash-notes.log", 25);
    put(log("a", "pi-x"), 25);
    await purgeOldLogs("pi-bash", dir);
    expect(readdirSync(dir).sort()).toEqual([log("b"), "pi-bash-notes.log", log("a", "pi-x")].sort());
  });

  it("leaves links and what they lead to alone", async () => {
    put("target", 25);
    symlinkSync("target", join(dir, log("c")));
    await purgeOldLogs("pi-bash", dir, Date.now() + 48 * HOUR);
    expect(lstatSync(join(dir, log("c"))).isSymbolicLink()).toBe(true);
    expect(readdirSync(dir)).toContain("target");
  });

  it.runIf(process.platform === "linux")("leaves a log that a living process has open", async () => {
    put(log("d"), 25);
    const fd = openSync(join(dir, log("d")), "r");
    await purgeOldLogs("pi-bash", dir);
    expect(readdirSync(dir)).toEqual([log("d")]);
    closeSync(fd);
    await purgeOldLogs("pi-bash", dir);
    expect(readdirSync(dir)).toEqual([]);
  });
});

it("the first log of a process has old ones removed, later ones do not", async () => {
  process.env["TMPDIR"] = dir;
  put(log("a", "pi-first"), 25);
  const first = new TempLog("pi-first");
  await expect.poll(() => readdirSync(dir)).not.toContain(log("a", "pi-first"));
  put(log("a", "pi-first"), 25);
  const second = new TempLog("pi-first");
  await Promise.all([first.remove(), second.remove()]);
  expect(readdirSync(dir)).toEqual([log("a", "pi-first")]);
});
