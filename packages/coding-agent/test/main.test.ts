import { execFile, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { cleanEnvironment, usePi } from "./pi.js";

const start = usePi();
const program = fileURLToPath(new URL("../dist/index.js", import.meta.url));

it("a program that runs print mode has its stdout again afterwards", async () => {
  const pi = await start([{ blocks: [{ type: "text", text: "an answer" }] }]);
  const host = pi.write(
    "host.mjs",
    `import * as sdk from ${JSON.stringify(program)};
     const place = { cwd: process.cwd(), agentDir: process.env.PI_CODING_AGENT_DIR };
     const services = await sdk.createAgentSessionServices(place);
     const make = async ({ sessionManager }) => {
       const model = services.modelRuntime.getModel("scripted", "m1");
       return { ...(await sdk.createAgentSessionFromServices({ services, sessionManager, model })), services };
     };
     const sessionManager = sdk.SessionManager.inMemory(place.cwd);
     const runtime = await sdk.createAgentSessionRuntime(make, { ...place, sessionManager });
     const code = await sdk.runPrintMode(runtime, { mode: "text", initialMessage: "hi" });
     console.log("ended with " + code);`,
  );
  const env = { ...cleanEnvironment(), HOME: pi.home, PI_CODING_AGENT_DIR: pi.agentDir };
  // Not synchronously: the scripted model lives in this process.
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [host], { cwd: pi.cwd, env });
  expect({ stdout, stderr }).toEqual({ stdout: "an answer\nended with 0\n", stderr: "" });
});

it("a program that calls main gives it extensions of its own", async () => {
  const pi = await start([]);
  const host = pi.write(
    "host.mjs",
    `import { main } from ${JSON.stringify(program)};
     const own = (pi) => {
       pi.registerFlag("from-host", { type: "boolean", description: "A flag of the host" });
       pi.registerCommand("hello", { handler: async (args) => console.error("hello " + args) });
     };
     await main(process.argv.slice(2), { extensionFactories: [own] });`,
  );
  const env = { ...cleanEnvironment(), HOME: pi.home, PI_CODING_AGENT_DIR: pi.agentDir };
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [host, ...args], { cwd: pi.cwd, env, encoding: "utf8", input: "" });
  expect(run("--help").stdout).toMatch(/--from-host +A flag of the host/);
  const { stderr, status } = run("--model", "scripted/m1", "--from-host", "-p", "/hello you");
  expect(stderr).toContain("hello you");
  expect(status).toBe(0);
});
