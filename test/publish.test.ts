import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startScriptedServer } from "@pi/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../scripts/lib/setup.mjs";

/** The tarball that `npm run build` made, in an empty folder, where nothing can ask a registry for our own scope. */
let folder: string;

beforeAll(() => {
  const tarball = join(root, "build", "earendil-works-pi-coding-agent-1.6.0.tgz");
  // `npm test` has just built it; alone, this test builds it once.
  if (!existsSync(tarball)) execFileSync(process.execPath, [join(root, "scripts", "build.mjs")], { stdio: "ignore" });
  folder = mkdtempSync(join(tmpdir(), "pi-install-"));
  writeFileSync(join(folder, "package.json"), '{"private":true,"type":"module"}');
  writeFileSync(join(folder, ".npmrc"), "@earendil-works:registry=http://127.0.0.1:1/\nfund=false\naudit=false\n");
  execFileSync("npm", ["install", "--prefer-offline", "--no-package-lock", tarball], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the published package", () => {
  it("brings its siblings along", () => {
    const inside = join(folder, "node_modules", "@earendil-works", "pi-coding-agent");
    for (const name of ["pi-ai", "pi-agent-core", "pi-tui"]) {
      expect(existsSync(join(inside, "node_modules", "@earendil-works", name, "package.json")), name).toBe(true);
    }
    const manifest = readFileSync(join(inside, "package.json"), "utf8");
    expect(manifest).not.toContain("@pi/source");
    expect(manifest).not.toContain('"private"');
    expect(existsSync(join(inside, "dist", "cli.js"))).toBe(true);
    expect(existsSync(join(inside, "src"))).toBe(false);
  });

  it("runs: version, and a prompt with a tool call", async () => {
    const pi = join(folder, "node_modules", ".bin", "pi");
    expect(execFileSync(pi, ["--version"], { encoding: "utf8" })).toBe("1.6.0\n");
    writeFileSync(join(folder, "data.txt"), "needle\n");
    const server = await startScriptedServer({
      script: [
        { blocks: [{ type: "toolCall", name: "grep", arguments: { pattern: "needle", path: "data.txt" } }] },
        { blocks: [{ type: "text", text: "found" }] },
      ],
    });
    const agentDir = join(folder, "agent");
    execFileSync("mkdir", ["-p", agentDir]);
    writeFileSync(
      join(agentDir, "models.json"),
      JSON.stringify({
        providers: {
          scripted: {
            api: "openai-completions",
            baseUrl: server.baseUrl("openai-completions"),
            apiKey: "k",
            models: [{ id: "m1" }],
          },
        },
      }),
    );
    const { spawn } = await import("node:child_process");
    const child = spawn(pi, ["--model", "scripted/m1", "--tools", "grep", "-p", "look"], {
      cwd: folder,
      env: { PATH: process.env["PATH"], HOME: folder, PI_CODING_AGENT_DIR: agentDir },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.stderr.on("data", (chunk) => {
      output += chunk;
    });
    await new Promise((resolve) => child.on("close", resolve));
    await server.close();
    expect(output).toBe("found\n");
    expect(server.requests[1]?.conversation.lastResults[0]?.text).toContain("data.txt:1: needle");
  });

  it("has one instance of every module, for the SDK and for whoever imports a sibling", () => {
    writeFileSync(
      join(folder, "instances.mjs"),
      `
      import { createRequire } from "node:module";
      import { pathToFileURL } from "node:url";
      import { createAgentSession, SessionManager, VERSION } from "@earendil-works/pi-coding-agent";
      const inside = createRequire(import.meta.resolve("@earendil-works/pi-coding-agent"));
      const load = (name) => import(pathToFileURL(inside.resolve(name)).href);
      const core = await load("@earendil-works/pi-agent-core");
      const compat = await load("@earendil-works/pi-ai/compat");
      const ai = await load("@earendil-works/pi-ai");
      const { session } = await createAgentSession({ sessionManager: SessionManager.inMemory() });
      console.log(JSON.stringify({
        version: VERSION,
        agent: session.agent instanceof core.Agent,
        stream: compat.AssistantMessageEventStream === ai.AssistantMessageEventStream,
        tools: session.getActiveToolNames(),
      }));
      `,
    );
    const env = { PATH: process.env["PATH"], HOME: folder, PI_CODING_AGENT_DIR: join(folder, "agent") };
    const output = execFileSync(process.execPath, ["instances.mjs"], { cwd: folder, encoding: "utf8", env });
    expect(JSON.parse(output)).toEqual({
      version: "1.6.0",
      agent: true,
      stream: true,
      tools: ["read", "bash", "edit", "write"],
    });
  });

  it("makes an extension whose types fit the program and whose test runs, with nothing else installed", () => {
    const pi = join(folder, "node_modules", ".bin", "pi");
    const env = { PATH: process.env["PATH"], HOME: folder, PI_CODING_AGENT_DIR: join(folder, "agent") };
    const away = mkdtempSync(join(tmpdir(), "pi-new-extension-"));
    try {
      execFileSync(pi, ["--new-extension", "dice"], { cwd: away, env });
      const made = join(away, "dice");
      const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
      // The types are there, not merely nothing that complains.
      writeFileSync(
        join(made, "mistake.ts"),
        `import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
        // @ts-expect-error: there is no such method
        export const tell = (ctx: ExtensionContext) => ctx.ui.notifyAll("x");`,
      );
      const check = spawnSync(process.execPath, [tsc, "-p", "."], { cwd: made, encoding: "utf8" });
      expect(check).toMatchObject({ stdout: "", status: 0 });
      const tests = spawnSync(process.execPath, ["--test"], { cwd: made, encoding: "utf8", env });
      expect(tests.stdout).toMatch(/^# pass 3$/m);
    } finally {
      rmSync(away, { recursive: true, force: true });
    }
  }, 180_000);

  it("its type declarations compile under strict TypeScript", () => {
    writeFileSync(
      join(folder, "consumer.ts"),
      `
      import { createAgentSession, defineTool, SessionManager, type AgentSessionEvent } from "@earendil-works/pi-coding-agent";
      import { Type } from "typebox";
      const deploy = defineTool({
        name: "deploy",
        label: "deploy",
        description: "Deploys",
        parameters: Type.Object({ env: Type.String() }),
        async execute(_id, { env }) {
          return { content: [{ type: "text", text: env.toUpperCase() }], details: undefined };
        },
      });
      const { session } = await createAgentSession({ customTools: [deploy], sessionManager: SessionManager.inMemory() });
      session.subscribe((event: AgentSessionEvent) => {
        if (event.type === "message_update" && event.assistantMessageEvent.type === "text_delta") event.assistantMessageEvent.delta.trim();
      });
      // @ts-expect-error: there is no such event
      session.subscribe((event) => event.type === "nope");
      // @ts-expect-error: a message is none of an agent's
      session.messages.push({ role: "nope" });
      // @ts-expect-error: models have numbers here
      session.model?.contextWindow.trim();
      `,
    );
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          // Other people's declarations take half a minute; ours show through what the consumer expects of them.
          skipLibCheck: true,
          noEmit: true,
          target: "ES2023",
          module: "NodeNext",
          types: ["node"],
          typeRoots: [join(root, "node_modules", "@types")],
        },
        files: ["consumer.ts"],
      }),
    );
    const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
    const result = spawnSync(process.execPath, [tsc, "-p", "."], { cwd: folder, encoding: "utf8" });
    expect(result.stdout).toBe("");
    expect(result.status).toBe(0);
  }, 180_000);
});
