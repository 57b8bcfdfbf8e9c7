/** What a host decides is not looked for in the user's home. Source: cli-and-config.md section 7. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cleanEnvironment } from "./pi.js";

const packageUrl = new URL("../dist/index.js", import.meta.url).href;
const aiUrl = new URL("../../ai/dist/index.js", import.meta.url).href;

let root: string;
let home: string;
let work: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "pi-home-")));
  home = join(root, "home");
  work = join(root, "work");
  mkdirSync(work);
  const put = (name: string, content: unknown) => {
    const path = join(home, name);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  };
  put(".pi/agent/oauth.json", { anthropic: { refresh: "r", access: "a", expires: Date.now() + 1e9 } });
  put(".pi/agent/settings.json", { apiKeys: { openai: "sk-home" }, defaultProvider: "openai" });
  put(".pi/agent/models-store.json", { groq: { models: [], checkedAt: 1 } });
  put(".pi/agent/auth-clients.json", {});
  put(".pi/agent/models.json", { providers: {} });
  put(".agents/skills/mine/SKILL.md", "---\nname: mine\ndescription: A skill\n---\n");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Runs a host and says which paths of the home it asked the file system for. */
function host(body: string): { touched: string[]; model: string | null } {
  const watch = `
    import fs from "node:fs";
    import { syncBuiltinESMExports } from "node:module";
    const touched = new Set();
    for (const api of [fs, fs.promises]) for (const [name, plain] of Object.entries(api)) {
      if (typeof plain !== "function" || /^[A-Z]|^realpath/.test(name)) continue;
      api[name] = function (path, ...rest) {
        if (/^(string|object)$/.test(typeof path) && String(path).startsWith(process.env.HOME)) touched.add(String(path));
        return plain.call(this, path, ...rest);
      };
    }
    syncBuiltinESMExports();
    const work = ${JSON.stringify(work)};
    const pi = await import(${JSON.stringify(packageUrl)});
    const ai = await import(${JSON.stringify(aiUrl)});
    const { ModelRuntime, SessionManager, SettingsManager, DefaultResourceLoader, createAgentSession } = pi;
    ${body}
    await runtime.getAvailable();
    runtime.getProviders().forEach(({ auth }) => auth.oauth);
    console.log(JSON.stringify({ touched: [...touched], model: session?.model?.id ?? null }));
    process.exit(0);`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", watch], {
    cwd: work,
    env: { ...cleanEnvironment(), HOME: home },
    encoding: "utf8",
  });
  if (!stdout) throw new Error(stderr);
  return JSON.parse(stdout);
}

const bare = "let session;";
const inMemory = `const sessionManager = SessionManager.inMemory(work), settingsManager = SettingsManager.inMemory({});`;
const hosts: Record<string, string> = {
  "authPath and no models.json": `${bare} const runtime = await ModelRuntime.create({ authPath: work + "/auth.json", modelsPath: null });`,
  "authPath alone": `${bare} const runtime = await ModelRuntime.create({ authPath: work + "/auth.json" });`,
  "every path": `${bare} const runtime = await ModelRuntime.create({ authPath: work + "/auth.json", modelsPath: work + "/m.json", modelsStorePath: work + "/ms.json" });`,
  "credentials of its own": `${bare} const runtime = await ModelRuntime.create({ credentials: new ai.InMemoryCredentialStore(), modelsPath: null });`,
  "another agent directory": `${bare} const runtime = await ModelRuntime.create({ agentDir: work + "/agent" });`,
  "a session with another agent directory": `
    const { session } = await createAgentSession({ cwd: work, agentDir: work + "/agent" });
    const runtime = session.modelRuntime;`,
  "a session as in examples/sdk/full-control.ts": `${inMemory}
    const runtime = await ModelRuntime.create({ authPath: work + "/auth.json", modelsPath: null });
    const { session } = await createAgentSession({ cwd: work, agentDir: work + "/agent", modelRuntime: runtime, sessionManager, settingsManager });
    await session.bindExtensions({});`,
  "a session whose parts are all given": `${inMemory}
    const runtime = await ModelRuntime.create({ authPath: work + "/auth.json", modelsPath: null });
    const resourceLoader = new DefaultResourceLoader({ cwd: work, agentDir: work + "/agent", settingsManager });
    await resourceLoader.reload();
    const { session } = await createAgentSession({ cwd: work, modelRuntime: runtime, sessionManager, settingsManager, resourceLoader });`,
};

describe("the home of the user", () => {
  it.each(Object.entries(hosts))("is left alone by a host with %s", (_name, body) => {
    const before = readdirSync(home, { recursive: true, encoding: "utf8" }).sort();
    expect(host(body)).toEqual({ touched: [], model: null });
    expect(readdirSync(home, { recursive: true, encoding: "utf8" }).sort()).toEqual(before);
    expect(readFileSync(join(home, ".pi/agent/settings.json"), "utf8")).toContain("sk-home");
  });

  it("is what a host means that says nothing: older credentials are moved there", () => {
    const { touched } = host(`let session; const runtime = await ModelRuntime.create();`);
    expect(touched).toContain(join(home, ".pi/agent/oauth.json"));
    expect(Object.keys(JSON.parse(readFileSync(join(home, ".pi/agent/auth.json"), "utf8")))).toEqual([
      "openai",
      "anthropic",
    ]);
  });
});
