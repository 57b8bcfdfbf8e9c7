import { type ChildProcess, spawn } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { AuthStorage } from "../src/core/models/auth-storage.js";
import { SettingsManager } from "../src/core/settings/settings-manager.js";
import { isOwnerGone } from "../src/core/storage/lock-owner.js";

const processes = 32;
/** Processes killed while all are at work. */
const kills = process.env["PI_SOAK"] ? 2000 : 16;
/** Changes of each file by a process that lives. */
const rounds = process.env["PI_SOAK"] ? 40 : 2;
const seed = Number(process.env["PI_TEST_SEED"] ?? Date.now() % 2 ** 31);

/** Mulberry32: the same kills for the same seed, as far as the machine allows. */
function randomNumbers(state: number): () => number {
  let at = state;
  return () => {
    at = (at + 0x6d2b79f5) | 0;
    let mixed = Math.imul(at ^ (at >>> 15), 1 | at);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Writes its number into settings, trust and credentials, again and again; says each number once all three are kept. */
const source = `
  import { AuthStorage } from "../src/core/models/auth-storage.js";
  import { SettingsManager } from "../src/core/settings/settings-manager.js";
import { isOwnerGone } from "../src/core/storage/lock-owner.js";
  import { ProjectTrustStore } from "../src/core/trust/trust-store.js";
  const [agentDir, name, from, times] = process.argv.slice(2);
  const levels = ["off", "minimal", "low", "medium", "high", "xhigh", "max"];
  const settings = SettingsManager.create("/", agentDir);
  const trust = new ProjectTrustStore(agentDir);
  const auth = AuthStorage.create(agentDir + "/auth.json");
  for (let n = Number(from); n < Number(from) + Number(times); n++) {
    settings.setModelThinkingLevel("torture", name, levels[n % 7]);
    await Promise.all([
      settings.flush(),
      trust.setMany([{ path: "/" + name + "/" + n, decision: true }, { path: "/" + name + "/" + (n - 1), decision: null }]),
      auth.modify(name, async () => ({ type: "api_key", key: String(n) })),
    ]);
    for (const { error } of settings.drainErrors()) throw error;
    process.stdout.write(n + "\\n");
  }
`;
const levels = ["off", "minimal", "low", "medium", "high", "xhigh", "max"];

let dir: string;
let agentDir: string;
let worker: string;
beforeAll(async () => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "pi-torture-")));
  worker = join(dir, "worker.mjs");
  await build({
    stdin: { contents: source, resolveDir: fileURLToPath(new URL(".", import.meta.url)), loader: "ts" },
    bundle: true,
    format: "esm",
    platform: "node",
    outfile: worker,
    // What only other members of the module need.
    external: ["@earendil-works/*"],
    logLevel: "error",
  });
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));
beforeEach(() => {
  agentDir = mkdtempSync(join(dir, "agent-"));
});

interface Writer {
  name: string;
  child: ChildProcess;
  /** The last number it said. */
  said: number;
  ended: Promise<{ code: number | null; stderr: string }>;
}

function start(name: string, from: number, times: number): Writer {
  const child = spawn(process.execPath, [worker, agentDir, name, String(from), String(times)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stderr = "";
  child.stderr?.on("data", (text: Buffer) => {
    stderr += text;
  });
  const writer: Writer = {
    name,
    child,
    said: from - 1,
    ended: new Promise((resolve) => child.on("close", (code) => resolve({ code, stderr }))),
  };
  if (child.stdout) {
    createInterface({ input: child.stdout }).on("line", (line) => {
      writer.said = Number(line);
    });
  }
  return writer;
}

/** Whole at any time: who reads without a lock never sees half a file. */
function read(name: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(join(agentDir, name), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw error;
  }
  return JSON.parse(text) as Record<string, unknown>;
}

/** What the files say of a writer; the last number it said, or one that it was killed before saying. */
function expectKept({ name, said }: Writer): void {
  const key = (read("auth.json")[name] as { key?: string } | undefined)?.key;
  const levelsKept = read("settings.json")["modelThinkingLevels"] as Record<string, string> | undefined;
  const trusted = Object.keys(read("trust.json")).filter((path) => path.startsWith(`/${name}/`));
  if (said < 0) return;
  const possible = [said, said + 1];
  expect(possible.map(String), `${name}: credentials`).toContain(key);
  expect(
    possible.map((n) => levels[n % 7]),
    `${name}: settings`,
  ).toContain(levelsKept?.[`torture/${name}`]);
  expect(trusted, `${name}: trust`).toHaveLength(1);
  expect(
    possible.map((n) => `/${name}/${n}`),
    `${name}: trust`,
  ).toContain(trusted[0]);
}

describe(`${processes} processes write settings, trust and credentials at once, ${kills} are killed (PI_TEST_SEED=${seed})`, () => {
  it("files are always whole, and everything that was said to be kept is", { timeout: 3_600_000 }, async () => {
    const random = randomNumbers(seed);
    writeFileSync(join(agentDir, "settings.json"), '{"ofAnotherProgram":{"kept":true}}');
    const writers = Array.from({ length: processes }, (_, index) => start(`w${index}`, 0, rounds));
    // All have begun when the first has something to say, or nearly.
    await new Promise((resolve) => writers[0]?.child.stdout?.once("data", resolve));
    for (let killed = 0; killed < kills; killed++) {
      await new Promise((resolve) => setTimeout(resolve, random() * 60));
      for (const name of ["settings.json", "trust.json", "auth.json"]) read(name);
      const victim = writers[Math.floor(random() * writers.length)];
      if (!victim) throw new Error("nobody to kill");
      victim.child.kill("SIGKILL");
      await victim.ended;
      if (victim.said >= 0) expectKept(victim);
      // Another goes on where it ended, so that as many are at work until the end.
      const next = start(victim.name, victim.said + 1, rounds);
      writers[writers.indexOf(victim)] = next;
    }
    for (const writer of writers) {
      const { code, stderr } = await writer.ended;
      expect({ code, stderr }, writer.name).toEqual({ code: 0, stderr: "" });
    }
    for (const writer of writers) expectKept(writer);
    expect(read("settings.json")["ofAnotherProgram"]).toEqual({ kept: true });
    // Nothing is left of the dead but what the next change clears.
    const settings = SettingsManager.create("/", agentDir);
    settings.setBlockImages(true);
    await settings.flush();
    expect(settings.drainErrors()).toEqual([]);
    expect(
      readdirSync(agentDir)
        .filter((name) => name.includes("settings"))
        .sort(),
    ).toEqual(["settings.json"]);
  });
});

describe("a lock that nobody holds any more", () => {
  function isRecorded(lock: string): boolean {
    const stats = statSync(lock, { bigint: true, throwIfNoEntry: false });
    return stats !== undefined && isOwnerGone(lock, stats);
  }

  it("of ours is taken over at once", { timeout: 120_000 }, async () => {
    const lock = join(agentDir, "auth.json.lock");
    // Until one died with the lock in its hands. One that dies before its record is there leaves a lock like any other's.
    for (let from = 0; !isRecorded(lock); from += 1000) {
      rmSync(lock, { recursive: true, force: true });
      const holder = start("w", from, 1000);
      await new Promise((resolve) => holder.child.stdout?.once("data", resolve));
      holder.child.kill("SIGKILL");
      await holder.ended;
    }
    const started = Date.now();
    const auth = AuthStorage.create(join(agentDir, "auth.json"));
    await auth.modify("p", async () => ({ type: "api_key", key: "k" }));
    // Stale by time it would be after 30 s.
    expect(Date.now() - started).toBeLessThan(15_000);
    expect(auth.get("p")).toMatchObject({ key: "k" });
  });

  it("of another program is honoured until it is stale", { timeout: 40_000 }, async () => {
    mkdirSync(join(agentDir, "settings.json.lock"));
    const started = Date.now();
    const settings = SettingsManager.create("/", agentDir);
    settings.setBlockImages(true);
    await settings.flush();
    expect(settings.drainErrors()).toEqual([]);
    // 10 s by contract; file systems count in ticks of their own.
    expect(Date.now() - started).toBeGreaterThan(9500);
    expect(read("settings.json")).toEqual({ images: { blockImages: true } });
  });
});
