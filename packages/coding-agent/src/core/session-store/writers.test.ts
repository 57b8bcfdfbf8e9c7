import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SessionManager } from "../session-manager.js";

let root: string;
let dir: string;
let worker: string;

/**
 * A program that changes a session without end and says what was stored: `<file> <id>`. With a third argument it dies
 * inside of the write of that number, after a part of the bytes.
 */
const program = `
  import fs from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  import { SessionManager } from ${JSON.stringify(fileURLToPath(new URL("../session-manager.ts", import.meta.url)))};

  const [path, times, lastWrite] = process.argv.slice(2);
  const { writeSync } = fs;
  const say = (...words) => writeSync(1, words.join(" ") + "\\n");
  if (lastWrite !== undefined) {
    let writes = 0;
    fs.writeSync = (descriptor, bytes, offset, length) => {
      if (++writes < Number(lastWrite)) return writeSync(descriptor, bytes, offset, length);
      writeSync(descriptor, bytes, offset, Math.floor(Math.random() * (length + 1)));
      process.kill(process.pid, "SIGKILL");
    };
    syncBuiltinESMExports();
  }
  const pick = (items) => items[Math.floor(Math.random() * items.length)];
  const text = () => pick(["short", "long ".repeat(2000), '"}}\\n{"type":"message"}', "語".repeat(300)]);
  const message = () => ({ role: "user", content: [{ type: "text", text: text() }], timestamp: 1 });
  try {
    let manager = SessionManager.open(path);
    const steps = [
      () => manager.appendMessage(message()),
      () => manager.appendMessage(message()),
      () => manager.appendCustomEntry("x", { text: text() }),
      () => manager.appendLabelChange(pick(manager.getEntries()).id, "label"),
      () => manager.appendCompaction(text(), pick(manager.getBranch()).id, 5),
      () => manager.branchWithSummary(pick(manager.getEntries()).id, text()),
      () => { manager.createBranchedSession(manager.getLeafId()); return manager.getLeafId(); },
      () => { manager = SessionManager.forkFrom(manager.getSessionFile(), "/", process.env.DIR); return manager.getLeafId(); },
    ];
    say(manager.getSessionFile(), manager.appendMessage(message()));
    for (let round = 1; round < Number(times); round++) {
      const id = pick(steps.slice(0, process.env.STAYS || Math.random() < 0.9 ? 6 : 8))();
      say(manager.getSessionFile(), id);
    }
  } catch (error) {
    say("error", error.message);
  }
`;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "pi-writers-"));
  worker = join(root, "worker.mjs");
  const out = buildSync({
    stdin: { contents: program, resolveDir: root },
    bundle: true,
    format: "esm",
    platform: "node",
    conditions: ["@pi/source"],
    outfile: worker,
    banner: { js: 'import{createRequire}from"node:module";const require=createRequire(import.meta.url);' },
    logLevel: "error",
  });
  expect(out.errors).toEqual([]);
});
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
beforeEach(() => {
  dir = mkdtempSync(join(root, "sessions-"));
});

interface StartOptions {
  /** The write it dies in. */
  lastWrite?: number | undefined;
  /** It makes no other session out of this one. */
  stays?: boolean;
}

interface Run {
  child: ChildProcess;
  /** What it said, once it has ended. */
  done: Promise<string[]>;
  /** Resolves with its first word. */
  begun: Promise<void>;
}

function start(path: string, times: number, { lastWrite, stays }: StartOptions = {}): Run {
  const args = [worker, path, String(times), ...(lastWrite === undefined ? [] : [String(lastWrite)])];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, DIR: dir, STAYS: stays ? "1" : "" },
  });
  let text = "";
  const begun = new Promise<void>((resolve) => {
    child.stdout?.on("data", (chunk: Buffer) => {
      text += chunk;
      resolve();
    });
    child.on("close", () => resolve());
  });
  const done = new Promise<string[]>((resolve) => {
    child.on("close", () => resolve(text.split("\n").slice(0, -1)));
  });
  return { child, done, begun };
}

const header = { type: "session", version: 3, id: "s", timestamp: "2026-11-30T08:00:00.000Z", cwd: "/" };
const inUse = /^error Session is in use by pid \d+ since \d{4}-.*Z: .*s\.jsonl\. Use --fork\.$/;

describe("several processes on one session", () => {
  it.each([2, 10])(
    "%i: one writes, the others are told who does",
    async (count) => {
      const path = join(dir, "s.jsonl");
      writeFileSync(path, `${JSON.stringify(header)}\n`);
      const first = start(path, 1_000_000, { stays: true });
      await first.begun;
      const others = await Promise.all(Array.from({ length: count - 1 }, () => start(path, 5).done));
      for (const said of others) {
        expect(said).toHaveLength(1);
        expect(said[0]).toMatch(inUse);
        expect(said[0]).toContain(`pid ${first.child.pid} `);
      }
      const reader = SessionManager.open(path);
      expect(reader.getOtherWriter()?.pid).toBe(first.child.pid);
      expect(() => reader.acquireWriter()).toThrow(/Session is in use by pid/);
      first.child.kill("SIGKILL");
      const stored = (await first.done).filter((line) => line.startsWith(`${path} `)).length;
      // The one who wrote is gone: the next takes over at once.
      const next = await start(path, 3).done;
      expect(next.filter((line) => line.startsWith("error"))).toEqual([]);
      expect(SessionManager.open(path).getEntryCount()).toBeGreaterThanOrEqual(stored + 1);
    },
    60_000,
  );

  it("ten at once: whoever gets it, every line is whole and there", async () => {
    const path = join(dir, "s.jsonl");
    writeFileSync(path, `${JSON.stringify(header)}\n`);
    const all = (await Promise.all(Array.from({ length: 10 }, () => start(path, 5).done))).flat();
    const errors = all.filter((line) => line.startsWith("error"));
    for (const error of errors) expect(error).toMatch(inUse);
    expectAllThere(all);
    expect(existsSync(`${path}.lock`)).toBe(false);
  }, 60_000);
});

/** Every entry that was acknowledged, in files whose lines are whole. */
function expectAllThere(said: readonly string[]): void {
  const byFile = new Map<string, string[]>();
  for (const line of said) {
    const [file = "", id = ""] = line.split(" ");
    if (file !== "error") byFile.set(file, [...(byFile.get(file) ?? []), id]);
  }
  for (const [file, ids] of byFile) {
    const stored = new Set(
      SessionManager.open(file)
        .getEntries()
        .map(({ id }) => id),
    );
    expect(ids.filter((id) => !stored.has(id))).toEqual([]);
  }
}

/** Lines that are none: at most what kills left. A line that holds two would be one of them. */
function tornLines(file: string): number {
  const isTorn = (line: string) => {
    try {
      return line !== "" && !JSON.parse(line);
    } catch {
      return true;
    }
  };
  return readFileSync(file, "utf8").split("\n").filter(isTorn).length;
}

describe("kill -9", () => {
  const rounds = process.env["PI_SOAK"] ? 1000 : 20;

  it(`${rounds} times, half of them inside of a write: nothing that was acknowledged is lost`, async () => {
    let path = "";
    let kills = 0;
    let said: string[] = [];
    for (let round = 0; round < rounds; round++) {
      if (round % 10 === 0) {
        // A session of an older format: the kill may come while it is replaced.
        dir = mkdtempSync(join(root, "killed-"));
        path = join(dir, "s.jsonl");
        kills = 0;
        said = [];
        const line = { type: "message", timestamp: header.timestamp, message: { role: "user", content: "old" } };
        const old = [{ ...header, version: 1 }, ...Array.from({ length: 50 }, () => line)];
        writeFileSync(path, old.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
      }
      const isInWrite = round % 2 === 0;
      const run = start(path, 1_000_000, {
        lastWrite: isInWrite ? 1 + Math.floor(Math.random() * 60) : undefined,
      });
      if (!isInWrite) {
        await run.begun;
        setTimeout(() => run.child.kill("SIGKILL"), Math.random() * 100);
      }
      const lines = await run.done;
      kills++;
      expect(lines.filter((line) => line.startsWith("error"))).toEqual([]);
      said.push(...lines);
      expectAllThere(said);
      for (const name of readdirSync(dir).filter((name) => name.endsWith(".jsonl"))) {
        const file = join(dir, name);
        const manager = SessionManager.open(file, undefined, undefined, { readOnly: true });
        expect(manager.getEntryCount()).toBeGreaterThan(0);
        expect(tornLines(file)).toBeLessThanOrEqual(kills);
      }
      const lastFile = lines.at(-1)?.split(" ")[0];
      if (lastFile && Math.random() < 0.3) path = lastFile;
    }
  }, 1_800_000);
});
