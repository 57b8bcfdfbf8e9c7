import { type ChildProcess, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { withFileLock } from "./file-lock.js";
import { JsonFile, JsonFileError } from "./json-file.js";

let dir: string;
let path: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "pi-lock-")));
  path = join(dir, "data.json");
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const staleMs = 30_000;
const file = () => new JsonFile(path, { title: "test file", staleMs });
const count = async (current: Record<string, unknown>) => ({ ...current, n: Number(current["n"] ?? 0) + 1 });

describe("the lock", () => {
  it("is an empty directory beside the file, and gone afterwards", async () => {
    await withFileLock(path, { staleMs }, async () => {
      expect(statSync(`${path}.lock`).isDirectory()).toBe(true);
      expect(readdirSync(`${path}.lock`)).toEqual([]);
    });
    expect(readdirSync(dir)).toEqual([]);
    await expect(withFileLock(path, { staleMs }, () => Promise.reject(new Error("work")))).rejects.toThrow("work");
    expect(readdirSync(dir)).toEqual([]);
  });

  it("is that of the file a link leads to", async () => {
    writeFileSync(path, "{}");
    mkdirSync(join(dir, "links"));
    const link = join(dir, "links", "data.json");
    symlinkSync(path, link);
    await withFileLock(link, { staleMs }, async () => expect(existsSync(`${path}.lock`)).toBe(true));
    await new JsonFile(link, { title: "x", staleMs }).modify(count);
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ n: 1 });
    expect(realpathSync(link)).toBe(path);
  });

  it("one after another within a process", async () => {
    const shared = file();
    await Promise.all(Array.from({ length: 25 }, () => shared.modify(count)));
    expect(shared.read()).toEqual({ n: 25 });
  });

  it("a stale one with something in it is named, with what to do", async () => {
    mkdirSync(`${path}.lock`);
    writeFileSync(join(`${path}.lock`, "odd"), "");
    utimesSync(`${path}.lock`, 1, 1);
    await expect(withFileLock(path, { staleMs }, async () => {})).rejects.toThrow(
      `${path}.lock should be an empty directory, and something is in it. Remove it, with what is in it, if no other pi`,
    );
    expect(existsSync(`${path}.lock.breaking`)).toBe(false);
  });

  it("another program's lock is honoured until it is stale", async () => {
    mkdirSync(`${path}.lock`);
    const started = Date.now();
    let held = false;
    const waiting = withFileLock(path, { staleMs: 400 }, async () => {
      held = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(held).toBe(false);
    await waiting;
    expect(Date.now() - started).toBeGreaterThan(350);
    mkdirSync(`${path}.lock`);
    const old = new Date(Date.now() - staleMs - 1000);
    utimesSync(`${path}.lock`, old, old);
    await withFileLock(path, { staleMs }, async () => {});
  });

  describe("a wait", () => {
    /** Of the clock, in ms. */
    let ahead = 0;
    beforeEach(() => {
      ahead = 0;
      vi.spyOn(Date, "now").mockImplementation(() => performance.timeOrigin + performance.now() + ahead);
    });
    afterEach(() => vi.restoreAllMocks());
    const pass = async (ms: number) => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      ahead += ms;
    };
    const refresh = () => utimesSync(`${path}.lock`, new Date(), new Date(Date.now()));

    it("ends when one and the same holder keeps the lock", async () => {
      mkdirSync(`${path}.lock`);
      const waiting = withFileLock(path, { staleMs }, async () => {});
      const refused = expect(waiting).rejects.toThrow("is held by another process");
      await pass(staleMs + 11_000);
      refresh();
      await refused;
    });

    it("goes on as long as the lock goes from hand to hand", async () => {
      mkdirSync(`${path}.lock`);
      let held = false;
      const waiting = withFileLock(path, { staleMs }, async () => {
        held = true;
      });
      for (let hand = 0; hand < 4; hand++) {
        await pass(25_000);
        rmSync(`${path}.lock`, { recursive: true });
        mkdirSync(`${path}.lock`);
        refresh();
      }
      expect(held).toBe(false);
      rmSync(`${path}.lock`, { recursive: true });
      await waiting;
    });
  });

  it("a record of an earlier holder says nothing about a later one", async () => {
    await withFileLock(path, { staleMs }, async () => {
      const record = JSON.parse(readFileSync(`${path}.lock.owner`, "utf8"));
      writeFileSync(`${path}.lock.kept`, JSON.stringify({ ...record, pid: 2 ** 22 + 1 }));
    });
    mkdirSync(`${path}.lock`);
    writeFileSync(`${path}.lock.owner`, readFileSync(`${path}.lock.kept`));
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 200);
    await expect(withFileLock(path, { staleMs, signal: abort.signal }, async () => {})).rejects.toThrow(/abort/i);
  });

  it("nothing is written once it was taken away", async () => {
    await file().modify(count);
    const result = file().modify(async (current) => {
      rmSync(`${path}.lock`, { recursive: true });
      mkdirSync(`${path}.lock`);
      return count(current);
    });
    await expect(result).rejects.toMatchObject({ code: "compromised" });
    expect(file().read()).toEqual({ n: 1 });
    expect(existsSync(`${path}.lock`)).toBe(true);
  });
});

describe("the file", () => {
  it("is private when made, keeps its mode and foreign members afterwards", async () => {
    path = join(dir, "agent", "auth.json");
    await file().modify(count);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(dir, "agent")).mode & 0o777).toBe(0o700);
    expect(readFileSync(path, "utf8")).toBe('{\n  "n": 1\n}');
    writeFileSync(path, '\uFEFF{"other":{"deep":[1]},"n":4}');
    await file().modify(count);
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ other: { deep: [1] }, n: 5 });
  });

  it("missing or empty is an empty object, and reading makes nothing", () => {
    expect(file().read()).toEqual({});
    expect(readdirSync(dir)).toEqual([]);
    writeFileSync(path, "");
    expect(file().read()).toEqual({});
  });

  it("broken: an error that quotes nothing, the last good content for who had one, and no writing over it", async () => {
    const known = file();
    await known.modify(count);
    writeFileSync(path, '{"key": "sk-secret"');
    expect(() => file().read()).toThrow(JsonFileError);
    expect(() => file().read()).toThrow(
      /^Invalid test file .*data\.json: it is not valid JSON \(expected a comma or \}, but the text ends at line 1, column 20\)\. Correct or remove it\.$/,
    );
    expect(known.read()).toEqual({ n: 1 });
    await expect(known.modify(count)).rejects.toThrow(JsonFileError);
    expect(readFileSync(path, "utf8")).toBe('{"key": "sk-secret"');
    writeFileSync(path, '{"n":7}');
    expect(known.read()).toEqual({ n: 7 });
  });

  it("leftovers of killed writers go with the next change", async () => {
    writeFileSync(`${path}.123.abc.tmp`, "half");
    await file().modify(count);
    expect(readdirSync(dir)).toEqual(["data.json"]);
  });
});

describe("many processes", () => {
  const soak = Boolean(process.env["PI_SOAK"]);

  /** A program that adds `times` to the counter and prints a line for each. */
  function program(): string {
    const out = join(dir, "worker.mjs");
    const source = fileURLToPath(new URL("./json-file.ts", import.meta.url));
    buildSync({
      stdin: {
        contents: `
          import { JsonFile } from ${JSON.stringify(source)};
          const file = new JsonFile(process.argv[2], { title: "test file", staleMs: 30000 });
          for (let i = 0; i < Number(process.argv[3]); i++) {
            await file.modify(async (current) => ({ ...current, n: (current.n ?? 0) + 1, [process.pid + "-" + i]: 1 }));
            process.stdout.write(".");
          }
        `,
        resolveDir: dir,
      },
      bundle: true,
      format: "esm",
      platform: "node",
      outfile: out,
    });
    return out;
  }

  function start(worker: string, times: number): { child: ChildProcess; done: Promise<number> } {
    const child = spawn(process.execPath, [worker, path, String(times)], { stdio: ["ignore", "pipe", "inherit"] });
    let dots = 0;
    child.stdout?.on("data", (text: Buffer) => {
      dots += text.length;
    });
    return { child, done: new Promise((resolve) => child.on("close", () => resolve(dots))) };
  }

  it("every change counts, also when others are killed at random points", async () => {
    const worker = program();
    const rounds = soak ? 20 : 1;
    for (let round = 0; round < rounds; round++) {
      const steady = Array.from({ length: 3 }, () => start(worker, 20));
      const victims = Array.from({ length: 5 }, () => start(worker, 1000));
      for (const [index, { child }] of victims.entries()) {
        setTimeout(() => child.kill("SIGKILL"), 150 + index * 60 + Math.random() * 200);
      }
      const acknowledged = await Promise.all([...steady, ...victims].map(({ done }) => done));
      const { n, ...changes } = file().read();
      // A victim may have been killed between its change and its word about it.
      expect(Number(n)).toBe(Object.keys(changes).length);
      const total = acknowledged.reduce((sum, dots) => sum + dots, 0);
      expect(Number(n)).toBeGreaterThanOrEqual(total);
      expect(Number(n)).toBeLessThanOrEqual(total + victims.length);
      rmSync(path);
    }
  }, 600_000);
});
