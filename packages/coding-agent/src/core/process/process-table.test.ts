import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import { ProcessScan } from "./process-scan.js";
import {
  outputsOf,
  type ProcessEntry,
  parseProcStat,
  parsePs,
  processesOf,
  readProcessTable,
} from "./process-table.js";

describe("parseProcStat", () => {
  it("reads past names with blanks and parentheses", () => {
    const rest = "0 0 0 0 0 0 0 0 0 0 20 0 1 0 987654 0";
    expect(parseProcStat(`42 (a) b (c)) S 1 40 39 0 -1 ${rest}`)).toMatchObject({
      pid: 42,
      parent: 1,
      group: 40,
      session: 39,
      zombie: false,
    });
    expect(parseProcStat("43 (x) Z 42 40 39 0")).toMatchObject({ zombie: true });
    expect(parseProcStat("")).toBeUndefined();
  });

  it("finds this very process, with a start that does not change", () => {
    const own = () => readProcessTable().find((entry) => entry.pid === process.pid);
    expect(own()).toMatchObject({ parent: process.ppid, zombie: false });
    expect(own()?.started).toMatch(/^\d+$/);
    expect(own()).toEqual(own());
  });
});

describe("parsePs", () => {
  it("reads lines of ps", () => {
    const output =
      "    1     0     1      0 Ss   Mon Nov 30 10:00:00 2026\n  77     1    77     77 Z+   Mon Nov 30 10:00:01 2026\n";
    expect(parsePs(output)).toEqual([
      { pid: 1, parent: 0, group: 1, session: 0, started: "Mon Nov 30 10:00:00 2026", zombie: false },
      { pid: 77, parent: 1, group: 77, session: 77, started: "Mon Nov 30 10:00:01 2026", zombie: true },
    ]);
  });
});

describe.runIf(process.platform === "linux")("ProcessScan", () => {
  it("finds who has the pipes of a process, and nobody without any", async () => {
    const child = spawn("sleep", ["30"], { stdio: ["ignore", "pipe", "pipe"] });
    try {
      const outputs = outputsOf(child.pid ?? 0);
      expect(outputs).toEqual([expect.stringMatching(/^\w+:\[\d+\]$/), expect.stringMatching(/^\w+:\[\d+\]$/)]);
      const scan = new ProcessScan();
      expect(scan.writingTo(outputs).map(({ pid }) => pid)).toEqual([child.pid]);
      expect(scan.writingTo([])).toEqual([]);
    } finally {
      child.kill();
    }
  });

  it("takes no device for a pipe", () => {
    const child = spawn("sleep", ["30"], { stdio: "ignore" });
    expect(outputsOf(child.pid ?? 0)).toEqual([]);
    child.kill();
  });

  it("knows nothing of a process that is not there", () => {
    expect(outputsOf(2 ** 30)).toEqual([]);
  });
});

describe("processesOf", () => {
  const entry = (pid: number, parent: number, group: number, session: number): ProcessEntry => ({
    pid,
    parent,
    group,
    session,
    started: "",
    zombie: false,
  });
  it("takes group, session and descendants, and nothing else", () => {
    const table = [
      entry(1, 0, 1, 1),
      entry(10, 1, 10, 10),
      entry(11, 10, 10, 10),
      entry(12, 11, 12, 12),
      entry(13, 12, 12, 12),
      entry(14, 1, 10, 10),
      entry(15, 1, 15, 10),
      entry(20, 1, 20, 20),
      entry(21, 20, 20, 20),
    ];
    expect(
      processesOf(10, table)
        .map(({ pid }) => pid)
        .sort(),
    ).toEqual([10, 11, 12, 13, 14, 15]);
    expect(processesOf(99, table)).toEqual([]);
  });
});
