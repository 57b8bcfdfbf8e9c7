import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { TokenServer } from "./token-server.js";

/** Many processes and one token (llm.md section 11.4). Full numbers with PI_SOAK. */
const soak = Boolean(process.env["PI_SOAK"]);

let home: string;
let worker: string;
let agentDir: string;
let server: TokenServer;

beforeAll(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "pi-refresh-")));
  worker = join(home, "worker.mjs");
  const source = fileURLToPath(new URL("../../src/core/models/model-runtime.ts", import.meta.url));
  await build({
    stdin: {
      contents: `
        import { ModelRuntime } from ${JSON.stringify(source)};
        const runtime = new ModelRuntime({ agentDir: process.argv[2] });
        process.stdout.write("ready\\n");
        process.stdin.once("data", async () => {
          try {
            const auth = await runtime.getAuth("corp");
            process.stdout.write("key " + auth?.auth.apiKey + "\\n");
          } catch (error) {
            process.stdout.write("error " + error.message + ": " + error.cause?.message + "\\n");
          }
          process.stdin.destroy();
        });
      `,
      resolveDir: fileURLToPath(new URL(".", import.meta.url)),
    },
    bundle: true,
    format: "esm",
    platform: "node",
    conditions: ["@pi/source"],
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    // What is loaded on demand stays so: 64 processes start with as little as the program does.
    splitting: true,
    outdir: home,
    entryNames: "worker",
    outExtension: { ".js": ".mjs" },
  });
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const other = { type: "api_key", key: "sk-other", note: { kept: true } };

beforeEach(async () => {
  server = await TokenServer.start("refresh-0");
  agentDir = mkdtempSync(join(home, "agent-"));
  writeFileSync(join(agentDir, "models.json"), '{"providers":{"corp":{"name":"Corp","compat":{}}}}');
  writeFileSync(join(agentDir, "auth-clients.json"), JSON.stringify({ corp: { clientId: "c", tokenUrl: server.url } }));
});
afterEach(() => server.close());

function storeExpired(): void {
  const corp = { type: "oauth", access: "access-0", refresh: "refresh-0", expires: Date.now() - 1, account: "me" };
  writeFileSync(join(agentDir, "auth.json"), JSON.stringify({ other, corp }));
}

interface Worker {
  child: ChildProcess;
  ready: Promise<void>;
  /** The line after `ready`; undefined when it was killed before. */
  result: Promise<string | undefined>;
}

function start(): Worker {
  const child = spawn(process.execPath, [worker, agentDir], { stdio: ["pipe", "pipe", "inherit"] });
  let text = "";
  const ready = new Promise<void>((resolve) => {
    child.stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8");
      if (text.startsWith("ready\n")) resolve();
    });
  });
  child.stdin?.on("error", () => undefined);
  const result = new Promise<string | undefined>((resolve) => {
    child.on("close", () => resolve(text.split("\n")[1] || undefined));
  });
  return { child, ready, result };
}

/** Starts them, waits until all are ready, and lets them go at once. */
async function startTogether(count: number): Promise<Worker[]> {
  const workers = Array.from({ length: count }, start);
  await Promise.all(workers.map(({ ready }) => ready));
  for (const { child } of workers) child.stdin?.write("go\n");
  return workers;
}

const stored = () => JSON.parse(readFileSync(join(agentDir, "auth.json"), "utf8"));

describe("many processes renewing one token", { timeout: 600_000 }, () => {
  it("64 at once: one renewal, 64 good tokens, nothing else touched", async () => {
    for (let round = 0; round < (soak ? 5 : 1); round++) {
      await server.close();
      server = await TokenServer.start("refresh-0");
      writeFileSync(
        join(agentDir, "auth-clients.json"),
        JSON.stringify({ corp: { clientId: "c", tokenUrl: server.url } }),
      );
      storeExpired();
      const workers = await startTogether(64);
      const results = await Promise.all(workers.map(({ result }) => result));
      expect(results).toEqual(Array(64).fill("key access-1"));
      expect(server.used).toEqual(["refresh-0"]);
      expect(stored()).toMatchObject({ other, corp: { access: "access-1", refresh: "refresh-1", account: "me" } });
      expect(readdirSync(agentDir).sort()).toEqual(["auth-clients.json", "auth.json", "models.json"]);
    }
  });

  it("killed at random points: the file stays whole, and whoever lives gets a good token", async () => {
    // A provider that rotates would lose the token with the process that was to store it: nobody could help that.
    server.rotates = false;
    for (let round = 0; round < (soak ? 40 : 2); round++) {
      storeExpired();
      const count = soak ? 16 : 8;
      const workers = await startTogether(count);
      const victims = workers.filter((_, index) => index % 2 === 0);
      for (const { child } of victims) setTimeout(() => child.kill("SIGKILL"), Math.random() * 120);
      const results = await Promise.all(workers.map(({ result }) => result));
      const survivors = results.filter((_, index) => index % 2 === 1);
      for (const result of survivors) expect(result).toMatch(/^key access-\d+$/);
      const { corp, ...rest } = stored();
      expect(rest).toEqual({ other });
      expect(server.issued).toContain(corp.access);
      expect(corp.account).toBe("me");
    }
  });

  it("a refusal is said, keeps what is stored, and names no token", async () => {
    server.error = "invalid_grant";
    storeExpired();
    const before = readFileSync(join(agentDir, "auth.json"), "utf8");
    const [only] = await startTogether(1);
    const result = await only?.result;
    expect(result).toMatch(/^error OAuth refresh failed for corp: invalid_grant \(400 from 127\.0\.0\.1:\d+\)$/);
    expect(readFileSync(join(agentDir, "auth.json"), "utf8")).toBe(before);
  });
});
