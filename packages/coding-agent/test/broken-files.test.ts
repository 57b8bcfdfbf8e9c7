import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentMessage } from "@earendil-works/pi-agent-core";
import { fauxAssistantMessage, fauxProvider } from "@earendil-works/pi-ai";
import type { ScriptedTurn } from "@pi/testkit";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { chooseModel } from "../src/cli/model-choice.js";
import { createAgentSessionServices } from "../src/core/agent-session-services.js";
import { createAgentSessionFromServices } from "../src/core/sdk.js";
import { SessionManager } from "../src/core/session-manager.js";
import { SettingsManager } from "../src/core/settings/settings-manager.js";
import { type PiRun, usePi } from "./pi.js";

const startPi = usePi();
const start = (script: ScriptedTurn[] = []) => startPi(script);

const say = (text: string): ScriptedTurn => ({ blocks: [{ type: "text", text }] });
const internal =
  /is not a function|Cannot read propert|undefined \(reading|Cannot use 'in'|is not iterable|EISDIR|ENOTDIR/;

/** A failed start: what is said names the file, and the file is as it was. */
function expectNamed(run: PiRun, path: string, text: RegExp): void {
  expect(run).toMatchObject({ stdout: "", code: 1 });
  expect(run.stderr).toContain(path);
  expect(run.stderr).toMatch(text);
  expect(run.stderr).not.toMatch(internal);
}

describe("a broken auth.json", () => {
  it.each<[string, RegExp]>([
    ['{"scripted":{"type":"api_key","key":5}}', /entry "scripted": "key" must be a string\. Correct or remove it\./],
    ['{"scripted":{"type":"api_key","key":"k","env":{"A":1}}}', /entry "scripted": "env" must be an object of strings/],
    ['{"scripted":{"type":"oauth","access":5}}', /entry "scripted": "access" must be a string/],
    ['{"scripted":{"key":"k"}}', /entry "scripted": "type" must be "api_key" or "oauth"/],
    ['{"scripted":"str"}', /entry "scripted": expected an object/],
    ["[]", /expected an object\. Correct or remove it\./],
    ['"x"', /expected an object/],
    ["5", /expected an object/],
    ["null", /expected an object/],
    ["{", /it is not valid JSON/],
  ])("%s", async (text, expected) => {
    const pi = await start([say("never")]);
    pi.configure("auth.json", text);
    const path = join(pi.agentDir, "auth.json");
    expectNamed(await pi.pi(["-p", "x"]), path, expected);
    // Also when no model is named, and nothing else offers one.
    pi.configure("models.json", '{"providers":{}}');
    expectNamed(await pi.run(["-p", "x"]), path, expected);
    expect(readFileSync(path, "utf8")).toBe(text);
  });

  it("entries of other providers do not disturb", async () => {
    const pi = await start([say("answer")]);
    pi.configure("auth.json", '{"other":5}');
    expect(await pi.pi(["-p", "x"])).toMatchObject({ stdout: "answer\n", stderr: "", code: 0 });
  });
});

describe("a directory or a file in the wrong place", () => {
  it.each(["models.json", "auth.json"])("%s is a directory", async (name) => {
    const pi = await start();
    const path = join(pi.agentDir, name);
    rmSync(path, { force: true });
    mkdirSync(path);
    expectNamed(await pi.run(["--model", "scripted/m1", "-p", "x"]), path, /it is a directory/);
  });

  it.each(["models.json", "auth.json"])("%s is a pipe that nobody writes to", async (name) => {
    const pi = await start();
    const path = join(pi.agentDir, name);
    rmSync(path, { force: true });
    execFileSync("mkfifo", [path]);
    expectNamed(await pi.run(["--model", "scripted/m1", "-p", "x"]), path, /it is a named pipe/);
    const doctor = await pi.run(["doctor"]);
    expect(doctor).toMatchObject({ code: 1, stdout: expect.stringContaining(`${path}: it is a named pipe`) });
  });

  it("--session is a directory", async () => {
    const pi = await start();
    const path = join(pi.cwd, "folder.jsonl");
    mkdirSync(path);
    expectNamed(await pi.pi(["--session", path, "-p", "x"]), path, /^Error: Session file is a directory: /);
  });

  it("the agent directory is a file", async () => {
    const pi = await start();
    const path = pi.write("agent", "");
    for (const args of [
      ["-p", "x"],
      ["--model", "anthropic/x", "-p", "x"],
    ]) {
      const run = await pi.run(args, { env: { PI_CODING_AGENT_DIR: path } });
      expect(run).toEqual({
        stdout: "",
        stderr: `Error: The agent directory is a file: ${path}. Set PI_CODING_AGENT_DIR to a directory, or move the file away.\n`,
        code: 1,
        signal: null,
      });
    }
    const list = await pi.run(["--list-models"], { env: { PI_CODING_AGENT_DIR: path } });
    expect(list.stderr).toContain(`The agent directory is a file: ${path}.`);
    expect(list.stderr).not.toMatch(/^ +at /m);
  });
});

describe("models.json with an API nobody implements", () => {
  it("is named, with the APIs there are", async () => {
    const pi = await start();
    const models = [{ id: "m", api: "nope" }];
    const p = { baseUrl: "http://127.0.0.1:1", apiKey: "k", models };
    pi.configure("models.json", JSON.stringify({ providers: { p } }));
    const run = await pi.run(["-p", "x"]);
    expectNamed(run, join(pi.agentDir, "models.json"), /Provider "p", model "m": no implementation of api "nope"/);
    expect(run.stderr).toMatch(/Known apis: .*anthropic-messages/);
    expect((await pi.run(["--list-models"])).stdout).toMatch(/^p +m /m);
  });
});

describe("starts that fail leave nothing", () => {
  it("no key: no folder for sessions", async () => {
    const pi = await start();
    expect(await pi.run(["--model", "anthropic/claude-opus-5-5", "-p", "x"])).toMatchObject({ code: 1 });
    expect(await pi.run(["--continue", "--model", "anthropic/claude-opus-5-5", "-p", "x"])).toMatchObject({ code: 1 });
    expect(existsSync(join(pi.agentDir, "sessions"))).toBe(false);
  });

  it("an id that cannot be one is said before anything else", async () => {
    const pi = await start();
    const run = await pi.pi(["--session-id", "a b", "-p", "x"]);
    expect(run).toMatchObject({ stdout: "", code: 1 });
    expect(run.stderr).toMatch(/^Error: Session id must be non-empty[^\n]*\nFor example: [^\n]*\n$/);
  });

  it("a folder that cannot be made is said before the model is asked", async () => {
    const pi = await start([say("never")]);
    const path = join(pi.write("file", ""), "sessions");
    const run = await pi.pi(["--session-dir", path, "-p", "x"]);
    expect(run).toMatchObject({ stdout: "", code: 1 });
    expect(run.stderr).toContain(path);
    expect(pi.server.requests).toHaveLength(0);
  });
});

/** Each case is a start of its own. */
const runs = (full: number) => (process.env["PI_SOAK"] ? full : Math.ceil(full / 3));

const header = { type: "session", version: 3, id: "s", timestamp: "2026-01-01T00:00:00.000Z" };
const entry = (id: string, parentId: string | null, message: unknown) => ({
  type: "message",
  id,
  parentId,
  timestamp: "2026-01-01T00:00:00.000Z",
  message,
});
const user = { role: "user", content: "first question", timestamp: 1 };
const answer = fauxAssistantMessage("first answer");

describe("a session with broken entries", () => {
  it.each<[string, unknown]>([
    ["a message that is null", null],
    ["a message that is a text", "text"],
    ["no usage", { ...answer, usage: undefined }],
    ["usage with missing members", { ...answer, usage: { input: 5 } }],
    ["usage without cost", { ...answer, usage: { ...answer.usage, cost: null } }],
    [
      "content of odd items",
      { ...answer, content: [null, 5, "x", {}, { type: "text" }, { type: "text", text: "ok" }] },
    ],
    ["content that is a number", { ...answer, content: 5 }],
    ["a result of nothing", { role: "toolResult", content: "x" }],
    ["a user who says odd things", { role: "user", content: [null, { type: "image" }] }],
  ])("%s: goes on, and the entry stays as it is", async (_name, message) => {
    const pi = await start([say("answer")]);
    const lines = [{ ...header, cwd: pi.cwd }, entry("a", null, user), entry("b", "a", message)];
    const before = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    const path = pi.write("s.jsonl", before);
    const run = await pi.pi(["--session", path, "-p", "go on"]);
    expect(run).toMatchObject({ stdout: "answer\n", stderr: "", code: 0 });
    expect(readFileSync(path, "utf8").startsWith(before)).toBe(true);
    expect(JSON.stringify(pi.server.requests[0]?.conversation)).toContain("first question");
  });

  it("usage is filled with nothing", () => {
    const entries = [{ ...header, cwd: "/" }, entry("a", null, { ...answer, usage: { input: 5, cost: { total: 1 } } })];
    const [message] = SessionManager.inMemory("/", {}, entries as never).buildSessionContext().messages;
    expect(message).toMatchObject({
      usage: {
        input: 5,
        output: 0,
        cacheRead: 0,
        cacheWrite: 0,
        totalTokens: 5,
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 1 },
      },
    });
  });

  it("what is well formed stays the same object", () => {
    const manager = SessionManager.inMemory("/");
    const said: AgentMessage[] = [{ role: "user", content: [{ type: "text", text: "x" }], timestamp: 1 }, answer];
    for (const message of said) manager.appendMessage(message);
    const { messages } = manager.buildSessionContext();
    expect(messages.map((message, index) => message === said[index])).toEqual([true, true]);
  });
});

// ---------------------------------------------------------------------------------------------------------------------

type Path = (string | number)[];

/** Every member of a value, however deep. */
function pathsOf(value: unknown, at: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [at];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return [at, ...keys.flatMap((key) => pathsOf((value as Record<string, unknown>)[key], [...at, key]))];
}

function replaced(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? replaced(item, rest, by) : item));
  const record = value as Record<string, unknown>;
  return { ...record, [key]: replaced(record[key], rest, by) };
}

/** A good value in which one member is any JSON value. */
function broken<T>(good: T): fc.Arbitrary<unknown> {
  const odd = fc.oneof(
    fc.constantFrom<unknown>(null, true, 5, -1.5, "", "text", "$", "!", [], {}, [null], [5], { a: null }, [{}], {
      type: 5,
    }),
    fc.jsonValue({ maxDepth: 2 }),
  );
  return fc.tuple(fc.constantFrom(...pathsOf(good)), odd).map(([path, by]) => replaced(good, path, by));
}

const goodSettings = {
  defaultProvider: "p",
  defaultModel: "m",
  defaultThinkingLevel: "low",
  modelThinkingLevels: { "p/m": "high" },
  thinkingBudgets: { low: 1000 },
  enabledModels: ["p/*"],
  defaultTools: ["+grep", "-bash"],
  transport: "sse",
  httpIdleTimeoutMs: 1000,
  retry: { provider: { timeoutMs: 1000, maxRetries: 0, maxRetryDelayMs: 1 } },
  shellPath: "/bin/sh",
  shellCommandPrefix: "set -e",
  images: { autoResize: true, blockImages: false },
};
const goodAuth = {
  p: { type: "api_key", key: "k", env: { A: "b" } },
  anthropic: { type: "oauth", access: "a", refresh: "r", expires: 9e15 },
};
const goodModels = {
  providers: {
    p: {
      name: "P",
      baseUrl: "http://127.0.0.1:1",
      api: "faux",
      apiKey: "k",
      authHeader: true,
      headers: { x: "y" },
      compat: { supportsStore: false },
      models: [
        {
          id: "m",
          name: "M",
          reasoning: true,
          input: ["text"],
          cost: { input: 1, output: 1, cacheRead: 1, cacheWrite: 1, tiers: [] },
          contextWindow: 100000,
          maxTokens: 1000,
          thinkingLevelMap: { low: "l", high: null },
          headers: { z: "z" },
          samplingParams: { top_k: 1 },
          samplingParamsByThinkingLevel: { low: { top_k: 2 } },
          inputLimits: { maxRequestBytes: 1000000, images: { maxPerMessage: 1, resize: { maxWidth: 10 } } },
          promptCache: { short: 1 },
          compat: { maxTokensField: "max_tokens" },
        },
      ],
      modelOverrides: { m: { name: "N", cost: { input: 2 }, compat: { supportsStore: true } } },
    },
  },
};
const call = { type: "toolCall", id: "c", name: "read", arguments: { path: "x" } };
const base = { timestamp: "2026-01-01T00:00:00.000Z" };
const goodSession = [
  { ...header, cwd: "/" },
  { type: "model_change", id: "1", parentId: null, ...base, provider: "p", modelId: "m" },
  { type: "thinking_level_change", id: "2", parentId: "1", ...base, thinkingLevel: "low" },
  entry("3", "2", { role: "system", content: "", sections: { a: "b", c: null }, toolsAdded: [], timestamp: 1 }),
  entry("4", "3", user),
  entry("5", "4", { ...answer, content: [{ type: "thinking", thinking: "t", thinkingSignature: "s" }, call] }),
  entry("6", "5", {
    role: "toolResult",
    toolCallId: "c",
    toolName: "read",
    content: [{ type: "text", text: "r" }],
    isError: false,
    timestamp: 1,
  }),
  {
    type: "compaction",
    id: "7",
    parentId: "6",
    ...base,
    summary: "s",
    firstKeptEntryId: "4",
    tokensBefore: 5,
    systemMessage: { role: "system", content: "x", timestamp: 1 },
  },
  { type: "branch_summary", id: "8", parentId: "7", ...base, fromId: "4", summary: "s" },
  {
    type: "custom_message",
    id: "9",
    parentId: "8",
    ...base,
    customType: "c",
    content: [{ type: "text", text: "r" }],
    display: true,
  },
  { type: "context_edit", id: "10", parentId: "9", ...base, targetId: "9", replacement: { content: "edited" } },
  { type: "label", id: "11", parentId: "10", ...base, targetId: "9", label: "l" },
  { type: "session_info", id: "12", parentId: "11", ...base, name: "n" },
  entry("13", "12", {
    role: "bashExecution",
    command: "ls",
    output: "o",
    exitCode: 0,
    cancelled: false,
    truncated: false,
    timestamp: 1,
  }),
  entry("14", "13", { ...answer, content: [{ type: "text", text: "t" }] }),
];

/** All that the loaders and one prompt say, without the network: the model answers from memory. */
async function startIn(agentDir: string, entries: readonly unknown[] = []): Promise<string[]> {
  const said: string[] = [];
  try {
    const settingsManager = SettingsManager.create(agentDir, agentDir);
    const services = await createAgentSessionServices({
      cwd: agentDir,
      agentDir,
      settingsManager,
      resourceLoaderOptions: { noContextFiles: true },
    });
    said.push(...services.diagnostics.map(({ message }) => message));
    const { modelRuntime } = services;
    const settings = settingsManager.getSettings();
    const choice = await chooseModel({}, modelRuntime, settings);
    said.push(...choice.messages.map(({ message }) => message));
    await modelRuntime.listCredentials().catch((error: Error) => said.push(error.message));
    const file = join(agentDir, "s.jsonl");
    writeFileSync(file, entries.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const sessionManager = entries.length > 0 ? SessionManager.open(file) : SessionManager.inMemory(agentDir);
    sessionManager.getTree();
    sessionManager.getSessionName();
    for (const { id } of sessionManager.getEntries()) sessionManager.getLabel(id);
    const faux = fauxProvider({ provider: "q", models: [{ id: "m" }] });
    faux.setResponses([fauxAssistantMessage("fine")]);
    modelRuntime.registerNativeProvider(faux.provider);
    for (const model of [choice.model, faux.getModel()]) {
      const { session } = await createAgentSessionFromServices({ services, sessionManager, model });
      await modelRuntime.requireAuth(session.model ?? faux.getModel());
      if (session.model?.provider === "q") await session.prompt("go on");
      said.push(...session.messages.flatMap((message) => (message.role === "assistant" && message.errorMessage) || []));
    }
  } catch (error) {
    said.push((error as Error).message);
  }
  return said;
}

describe("any JSON value in place of any member", () => {
  let dir: string;
  beforeEach(() => {
    dir = realpathSync(mkdtempSync(join(tmpdir(), "pi-broken-")));
    writeFileSync(join(dir, "models.json"), JSON.stringify(goodModels));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it.each([
    ["settings.json", goodSettings],
    ["auth.json", goodAuth],
    ["models.json", goodModels],
  ])("%s", async (name, good) => {
    await fc.assert(
      fc.asyncProperty(broken(good), async (value) => {
        const text = JSON.stringify(value);
        writeFileSync(join(dir, name), text);
        for (const message of await startIn(dir)) expect(message).not.toMatch(internal);
        expect(readFileSync(join(dir, name), "utf8")).toBe(text);
      }),
      { numRuns: runs(200) },
    );
  });

  it("session entries", async () => {
    await fc.assert(
      fc.asyncProperty(broken(goodSession), async (value) => {
        const lines = Array.isArray(value) ? value : [value];
        for (const message of await startIn(dir, lines)) expect(message).not.toMatch(internal);
      }),
      { numRuns: runs(300) },
    );
  });
});
