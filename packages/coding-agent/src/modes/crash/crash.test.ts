import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { reportCrash } from "./crash.js";
import { crashFile, storeCrash, takeCrash } from "./crash-store.js";
import { withoutSecrets } from "./without-secrets.js";

let agentDir: string;
beforeEach(() => {
  agentDir = mkdtempSync(join(tmpdir(), "pi-crash-"));
});
afterEach(() => rmSync(agentDir, { recursive: true, force: true }));

const record = (message: string, timestamp: string) => ({ timestamp, version: "1", kind: "rpc", message, cwd: "/" });
const stored = () => JSON.parse(readFileSync(crashFile(agentDir), "utf8"));

describe("a crash", () => {
  it("is stored for its owner alone, and told with its session", () => {
    writeFileSync(join(agentDir, "auth.json"), '{"p":{"type":"api_key","key":"very-secret-key"}}');
    const place = { agentDir, cwd: "/w", kind: "rpc", sessionFile: "/s.jsonl", resume: "pi --session 1" };
    const text = reportCrash(new Error("boom with very-secret-key"), place);
    expect(text).toBe(
      `Error: pi has crashed: boom with [hidden]\nReport: ${crashFile(agentDir)}\nSession, stored up to its last message: /s.jsonl\nGo on with it: pi --session 1`,
    );
    expect(statSync(crashFile(agentDir)).mode & 0o777).toBe(0o600);
    expect(readFileSync(crashFile(agentDir), "utf8")).not.toContain("very-secret-key");
    expect(stored()).toMatchObject([
      { kind: "rpc", message: "boom with [hidden]", sessionFile: "/s.jsonl", cwd: "/w" },
    ]);
    expect(stored()[0].stack).toContain("crash.test.ts");
  });

  it("gives back what was typed and is stored nowhere", () => {
    const place = { agentDir, cwd: "/w", kind: "interactive", unstored: ["one", "x".repeat(3000)] };
    const lines = reportCrash(new Error("boom"), place, () => "a draft").split("\n");
    const typed = lines.filter((line) => line.startsWith("Typed, and not stored: "));
    expect(typed.map((line) => line.slice(23))).toEqual(["one", "x".repeat(2000), "a draft"]);
    expect(readFileSync(crashFile(agentDir), "utf8")).not.toContain("a draft");
    const broken = () => {
      throw new Error("the editor");
    };
    expect(reportCrash(new Error("boom"), place, broken)).toMatch(/^Error: pi has crashed: boom\n/);
    expect(reportCrash(new Error("boom"), { ...place, unstored: [] }, () => " ")).not.toContain("Typed");
  });

  it.each([undefined, null, "text", { message: 5 }, Object.create(null)])("of %o is told too", (error) => {
    expect(reportCrash(error, { agentDir, cwd: "/", kind: "print" })).toMatch(/^Error: pi has crashed: /);
    expect(stored()).toHaveLength(1);
  });

  it("that cannot be stored is told whole", () => {
    const text = reportCrash(new Error("boom"), { agentDir: "/proc/nowhere", cwd: "/", kind: "print" });
    expect(text).toMatch(/The report could not be stored \(.+\):\nError: boom\n +at /);
  });
});

describe("crashes.json", () => {
  it("keeps five, and replaces what cannot be understood", () => {
    writeFileSync(crashFile(agentDir), "{broken");
    for (let index = 0; index < 7; index++) storeCrash(agentDir, record(`${index}`, "2026-11-30T00:00:00.000Z"));
    expect(stored().map(({ message }: { message: string }) => message)).toEqual(["2", "3", "4", "5", "6"]);
  });

  it("the newest is told once, and not when it is old", () => {
    const now = Date.parse("2026-11-30T00:00:00.000Z");
    expect(takeCrash(agentDir, now)).toBeUndefined();
    storeCrash(agentDir, record("old", "2026-11-20T00:00:00.000Z"));
    expect(takeCrash(agentDir, now)).toBeUndefined();
    storeCrash(agentDir, record("new", "2026-11-29T00:00:00.000Z"));
    expect(takeCrash(agentDir, now)?.message).toBe("new");
    expect(takeCrash(agentDir, now)).toBeUndefined();
  });
});

describe("withoutSecrets", () => {
  const sources = {
    env: { SOME_API_KEY: "env-secret-value", HOME: "/home/somebody" },
    argv: ["--api-key", "from-argv-1"],
  };
  it.each([
    ["env-secret-value", "[hidden]"],
    ["from-argv-1", "[hidden]"],
    ["/home/somebody", "/home/somebody"],
    ["sk-ant-abcdefghijklmnop", "[hidden]"],
    ["Authorization: Bearer abcdefgh.ijk", "Authorization: Bearer [hidden]"],
    ["http://me:pass@host/x", "http://[hidden]@host/x"],
    ["at file:///a/b.js:1:2", "at file:///a/b.js:1:2"],
  ])("%s", (text, expected) => {
    expect(withoutSecrets(text, { ...sources, agentDir })).toBe(expected);
  });
});
