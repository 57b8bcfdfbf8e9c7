import { spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { cleanEnvironment, cliPath, PiFixture } from "../pi.js";

const commands = [
  ["--version"],
  ["-v", "--offline"],
  ["--help"],
  ["--list-models"],
  ["--completion", "bash"],
  ["list"],
  ["list", "--help"],
  ["install", "./package"],
  ["config", "--help"],
  ["doctor"],
  ["doctor", "--json"],
  ["auth"],
  ["auth", "check", "--provider", "scripted"],
  ["auth", "print-api-key", "--provider", "scripted"],
  ["--new-extension", "new-one"],
  ["-p", "hello"],
  ["--mode", "json", "hello"],
];

let pi: PiFixture;
beforeAll(async () => {
  pi = await PiFixture.start(() => ({ blocks: [{ type: "text", text: "x".repeat(1000) }] }));
  pi.configure("settings.json", JSON.stringify({ defaultProvider: "scripted", defaultModel: "m1" }));
  mkdirSync(join(pi.cwd, "package"));
});
beforeEach(() => rmSync(join(pi.cwd, "new-one"), { recursive: true, force: true }));
afterAll(() => pi.close());

/** What is left to say when stdout cannot be written. */
function run(words: readonly string[], stdout: number | "gone", stderr: number | "pipe" = "pipe") {
  const child = spawn(process.execPath, [cliPath, ...words], {
    cwd: pi.cwd,
    env: { ...cleanEnvironment(), HOME: pi.home, PI_CODING_AGENT_DIR: pi.agentDir },
    stdio: ["ignore", stdout === "gone" ? "pipe" : stdout, stderr],
  });
  if (stdout === "gone") child.stdout?.destroy();
  let text = "";
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  return new Promise<{ code: number | null; stderr: string }>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stderr: text }));
  });
}

async function withFullDisk<T>(use: (fd: number) => Promise<T>): Promise<T> {
  const fd = openSync("/dev/full", "w");
  try {
    return await use(fd);
  } finally {
    closeSync(fd);
  }
}

describe.skipIf(!existsSync("/dev/full"))("stdout that cannot be written", { timeout: 60_000 }, () => {
  it.each(commands.map((words) => [words.join(" "), words] as const))(
    "pi %s: a full disk is told",
    async (_, words) => {
      const { code, stderr } = await withFullDisk((fd) => run(words, fd));
      expect(stderr).toMatch(/^Error: Could not write to stdout: ENOSPC[^\n]*\n$/);
      expect(code).toBe(1);
    },
  );

  it("nobody can be told on a stderr that is full too", async () => {
    const { code } = await withFullDisk((fd) => run(["list"], fd, fd));
    expect(code).toBe(1);
  });

  it("an error that cannot be told is still one", async () => {
    const { code } = await withFullDisk((fd) => run(["--modle"], "gone", fd));
    expect(code).toBe(1);
  });
});

describe("stdout whose reader has left", { timeout: 60_000 }, () => {
  it.each(commands.map((words) => [words.join(" "), words] as const))("pi %s: nothing is said", async (_, words) => {
    const { stderr } = await run(words, "gone");
    expect(stderr).toBe("");
  });

  it.each([
    [["list"], 0],
    [["auth", "check", "--provider", "scripted"], 0],
    [["auth", "check", "--provider", "anthropic"], 1],
  ])("pi %j ends as it would have", async (words, expected) => {
    expect((await run(words, "gone")).code).toBe(expected);
  });
});
