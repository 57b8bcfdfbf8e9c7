import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ScriptedServer, startScriptedServer } from "@pi/testkit";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../scripts/lib/setup.mjs";

/** The examples, run as they stand, against a scripted model. */
const cli = join(root, "packages", "coding-agent", "dist", "cli.js");
const hasPython = spawnSync("python3", ["--version"]).status === 0;

let home: string;
let server: ScriptedServer;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "pi-examples-")));
  server = await startScriptedServer({
    script: ({ conversation }) => {
      const last = conversation.turns.at(-1);
      if (last?.role === "user" && last.text.includes("Delete") && conversation.lastResults.length === 0)
        return { blocks: [{ type: "toolCall", name: "bash", arguments: { command: "rm -rf build" } }] };
      const clock = conversation.tools.some(({ name }) => name === "clock");
      if (clock && conversation.lastResults.length === 0)
        return { blocks: [{ type: "toolCall", name: "clock", arguments: {} }] };
      return { blocks: [{ type: "text", text: conversation.lastResults[0]?.text ?? "An answer\u2028in two lines" }] };
    },
  });
  for (const dir of ["bin", "agent", "project"]) mkdirSync(join(home, dir));
  writeFileSync(join(home, "bin", "pi"), `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`);
  chmodSync(join(home, "bin", "pi"), 0o755);
  const url = server.baseUrl("anthropic-messages");
  const scripted = { api: "anthropic-messages", baseUrl: url, apiKey: "k", models: [{ id: "m1" }] };
  writeFileSync(join(home, "agent", "models.json"), JSON.stringify({ providers: { scripted } }));
  writeFileSync(join(home, "agent", "settings.json"), '{"defaultProvider":"scripted","defaultModel":"m1"}');
  env = {
    PATH: `${join(home, "bin")}:${process.env["PATH"]}`,
    HOME: home,
    PI_CODING_AGENT_DIR: join(home, "agent"),
    GATEWAY_URL: url,
  };
});
afterAll(async () => {
  await server.close();
  rmSync(home, { recursive: true, force: true });
});

function run(command: string, args: string[]): Promise<{ stdout: string; stderr: string; code: number | null }> {
  const child = spawn(command, args, { cwd: join(home, "project"), env, stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return new Promise((resolve) => child.on("close", (code) => resolve({ stdout, stderr, code })));
}

/** Node 20 does not read TypeScript. What it makes of the file lies beside it, so that its imports are found. */
async function runTypeScript(name: string, args: string[]) {
  const file = join(root, "examples", `${name}.${process.pid}.mjs`);
  await build({ entryPoints: [join(root, "examples", `${name}.ts`)], outfile: file, format: "esm", logLevel: "error" });
  try {
    return await run(process.execPath, [file, ...args]);
  } finally {
    rmSync(file, { force: true });
  }
}

describe("examples", () => {
  it("RPC client in TypeScript", async () => {
    const { stdout, stderr, code } = await runTypeScript("rpc/client", [cli, "Say something"]);
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^An answer\u2028in two lines\n\d+ tokens, \$0\.\d{4}\n$/);
    expect(code).toBe(0);
  });

  it.skipIf(!hasPython)("RPC client in Python, with the standard library only", async () => {
    const { stdout, stderr, code } = await run("python3", [
      join(root, "examples", "rpc", "client.py"),
      "Say something",
    ]);
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^An answer\u2028in two lines\n\d+ tokens, \$0\.\d{4}\n$/);
    expect(code).toBe(0);
  });

  it.skipIf(!hasPython).each([
    ["a command", "/hi", /^\n0 tokens, /, 0],
    ["a dialog that nobody answers", "/ask", /^\n\[not answered: sure\?\]\n\n0 tokens, /, 0],
    ["a dialog of a run", "Say something", /^\n\[not answered: go on\?\]\nAn answer/, 0],
    ["an agent that dies in its run", "die", /^$/, 1],
  ])("RPC client in Python: %s", async (_what, prompt, printed, wanted) => {
    const extension = join(env["HOME"] ?? "", "asks.ts");
    writeFileSync(
      extension,
      `export default function (pi) {
         pi.registerCommand("hi", { handler: async () => {} });
         pi.registerCommand("ask", { handler: async (_args, ctx) => void (await ctx.ui.input("sure?")) });
         pi.on("before_agent_start", async ({ prompt }, ctx) => {
           if (prompt === "die") setTimeout(() => process.kill(process.pid, "SIGKILL"), 10);
           if (prompt === "die") await new Promise(() => {});
           await ctx.ui.confirm("go on?", "");
         });
       }`,
    );
    const args = [join(root, "examples", "rpc", "client.py"), prompt, "-e", extension];
    const { stdout, stderr, code } = await run("python3", args);
    expect(stdout).toMatch(printed);
    expect(code).toBe(wanted);
    expect(stderr).toMatch(wanted === 0 ? /^$/ : /the agent has ended \(exit code -9\)/);
  });

  it("RPC client that answers the questions of an extension", async () => {
    const extension = join(root, "examples", "extensions", "permission-gate.ts");
    const args = [cli, extension, "Delete the build folder"];
    expect(await runTypeScript("rpc/extension-ui", args)).toEqual({
      stdout: "Delete files? rm -rf build: no\nThe user does not want these files deleted.\n",
      stderr: "",
      code: 0,
    });
  });

  it("SDK: the smallest host", async () => {
    expect(await runTypeScript("sdk/minimal", ["Say something"])).toEqual({
      stdout: "An answer\u2028in two lines",
      stderr: "",
      code: 0,
    });
  });

  it("SDK: a host that decides everything", async () => {
    expect(await runTypeScript("sdk/full-control", [])).toEqual({
      stdout: "[clock]\nIt is noon.\n",
      stderr: "",
      code: 0,
    });
  });
});
