import { existsSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { ScriptedTurn } from "@pi/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { PiFixture } from "../pi.js";
import { TokenServer } from "./token-server.js";

/** What users run: model lists, patterns, `pi auth`, models on this machine. */

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function start(...options: Parameters<typeof PiFixture.start>): Promise<PiFixture> {
  const fixture = await PiFixture.start(...options);
  cleanups.push(() => fixture.close());
  return fixture;
}

const say = (text: string): ScriptedTurn => ({ blocks: [{ type: "text", text }] });

/** A model server as it may run on a user's machine: lists its model and passes requests on to the scripted server. */
async function localServer(pi: PiFixture, id: string): Promise<string> {
  const target = pi.server.baseUrl("openai-completions");
  const server: Server = createServer((request, response) => {
    if (request.url === "/v1/models") {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ data: [{ id, max_model_len: 32768 }] }));
      return;
    }
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      const { host: _host, "content-length": _length, ...headers } = request.headers as Record<string, string>;
      const url = target + (request.url ?? "").replace(/^\/v1/, "");
      const answer = await fetch(url, { method: "POST", headers, body: Buffer.concat(chunks) });
      response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
      response.end(Buffer.from(await answer.arrayBuffer()));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("--list-models", () => {
  it("lists what can be used; a search; nothing", async () => {
    const pi = await start([]);
    const header = "provider  model  context  max-out  thinking  images\n";
    const row = "scripted  m1     128K     16.4K    no        yes   \n";
    expect(await pi.run(["--list-models"])).toEqual({ stdout: header + row, stderr: "", code: 0, signal: null });
    expect((await pi.run(["--list-models", "zzz"])).stdout).toBe('No models matching "zzz"\n');
    pi.configure("models.json", "{broken");
    const nothing = await pi.run(["--list-models"]);
    expect(nothing).toMatchObject({ code: 0, stdout: expect.stringMatching(/^No models available\. /) });
    expect(nothing.stderr).toMatch(/^Warning: errors loading models\.json:\nFailed to parse models\.json: /);
    expect(existsSync(join(pi.agentDir, "auth.json"))).toBe(false);
  });
});

describe("pi update --models", () => {
  it("asks for new models of configured providers, keeps them, and is the only one who does", async () => {
    const pi = await start([]);
    let asked = 0;
    const models = { fresh: { id: "fresh", limit: { context: 1_000_000, output: 500 } } };
    const server = createServer((_request, response) => {
      asked++;
      response.end(JSON.stringify({ groq: { models }, xai: { models } }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    cleanups.push(() => void server.close());
    const env = { GROQ_API_KEY: "g", PI_MODELS_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
    expect((await pi.run(["--list-models", "groq fresh"], { env })).stdout).toMatch(/^No models matching/);
    expect(asked).toBe(0);
    expect(await pi.run(["update", "--models"], { env: { ...env, PI_OFFLINE: "1" } })).toMatchObject({ code: 0 });
    expect(asked).toBe(0);
    const updated = await pi.run(["update", "--models"], { env });
    expect(updated).toEqual({ stdout: "Model catalogs refreshed\n", stderr: "", code: 0, signal: null });
    expect(asked).toBe(1);
    expect((await pi.run(["--list-models", "groq fresh"], { env })).stdout).toContain("groq      fresh  1M       500 ");
    const store = JSON.parse(readFileSync(join(pi.agentDir, "models-store.json"), "utf8"));
    expect(Object.keys(store)).toEqual(["groq"]);
    const down = await pi.run(["update", "--models"], { env: { ...env, PI_MODELS_URL: "http://127.0.0.1:1/" } });
    expect(down).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Error: Connection error\..*\n$/) });
    expect(asked).toBe(1);
  });
});

describe("--models and enabledModels", () => {
  it("the first model of the first pattern; warnings for the rest", async () => {
    const pi = await start([say("one"), say("two")]);
    const run = await pi.run(["--models", "scripted/*,nope", "-p", "x"]);
    expect(run).toMatchObject({ stdout: "one\n", code: 0 });
    expect(run.stderr).toMatch(/^Warning: No models match pattern "nope"\nPart of an id or a name is enough: /);
    pi.configure("settings.json", '{"enabledModels":["m?:high"]}');
    expect(await pi.run(["-p", "x"])).toMatchObject({ stdout: "two\n", stderr: "", code: 0 });
  });
});

it("an empty --model is called so", async () => {
  const pi = await start([]);
  const run = await pi.run(["--model", "  ", "-p", "x"]);
  expect(run).toMatchObject({ stdout: "", code: 1 });
  expect(run.stderr).toMatch(/^Error: --model is empty\. /);
});

describe("models on this machine", () => {
  it("with nothing configured: found, said in one line, used", async () => {
    const pi = await start([say("hello from here"), say("by its name")], { api: "openai-completions" });
    pi.configure("models.json", '{"providers":{}}');
    const env = { PI_LOCAL_SERVERS: `${await localServer(pi, "m1")},http://127.0.0.1:1` };
    const run = await pi.run(["-p", "hi"], { env });
    expect(run.stderr).toMatch(/^Found 1 model on this machine: http:\/\/127\.0\.0\.1:\d+ \(1\)\.\n$/);
    expect(run).toMatchObject({ stdout: "hello from here\n", code: 0 });
    expect(await pi.run(["--model", "m1", "-p", "hi"], { env })).toMatchObject({ stdout: "by its name\n", code: 0 });
    expect((await pi.run(["--list-models"], { env })).stdout).toContain("local     m1     32.8K    16.4K");
  });

  it("asked for by name, and again when the conversation goes on", async () => {
    const pi = await start([say("one"), say("two"), say("three")], { api: "openai-completions" });
    const env = { PI_LOCAL_SERVERS: await localServer(pi, "m1") };
    expect(await pi.run(["--provider", "local", "-p", "hi"], { env })).toMatchObject({ stdout: "one\n", code: 0 });
    expect(await pi.run(["--model", "local/m1", "-p", "hi"], { env })).toMatchObject({ stdout: "two\n", code: 0 });
    expect(await pi.run(["--continue", "-p", "hi"], { env })).toMatchObject({ stdout: "three\n", code: 0 });
    const absent = await pi.run(["--provider", "local", "-p", "hi"], {
      env: { PI_LOCAL_SERVERS: "http://127.0.0.1:1" },
    });
    expect(absent).toMatchObject({ stdout: "", code: 1 });
    expect(absent.stderr).toMatch(/^Error: No model server answers on this machine\. Asked: /);
    const wrong = await pi.run(["--provider", "local", "-p", "hi"], { env: { PI_LOCAL_SERVERS: "nonsense" } });
    expect(wrong.stderr).toMatch(/^Error: PI_LOCAL_SERVERS holds what is no address: "nonsense"/);
    expect(wrong.code).toBe(1);
  });

  it("a server without models is named, with what helps", async () => {
    const pi = await start([]);
    pi.configure("models.json", '{"providers":{}}');
    const server = createServer((_request, response) => response.end('{"models":[]}'));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    cleanups.push(() => void server.close());
    const env = { PI_LOCAL_SERVERS: `ollama=http://127.0.0.1:${(server.address() as AddressInfo).port}` };
    const text = /A model server answers on this machine but has no models: Ollama at .*"ollama pull qwen3:8b"/;
    for (const args of [["--provider", "local"], []]) {
      const run = await pi.run([...args, "-p", "hi"], { env });
      expect(run.stderr).toMatch(text);
      expect(run).toMatchObject({ stdout: "", code: 1 });
    }
  });

  it("nobody is asked when a model is chosen or can be used", async () => {
    const pi = await start([say("one"), say("two")]);
    let asked = 0;
    const server = createServer((_request, response) => {
      asked++;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    cleanups.push(() => void server.close());
    const env = { PI_LOCAL_SERVERS: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
    await pi.pi(["-p", "x"], { env });
    await pi.run(["-p", "x"], { env });
    expect(asked).toBe(0);
    expect(pi.server.requests).toHaveLength(2);
  });
});

describe("pi auth (cli-and-config.md section 1.9)", () => {
  it.each<[string[], number, RegExp, RegExp]>([
    [[], 0, /^Usage: pi auth <command>\n/, /^$/],
    [["help"], 0, /^Usage:/, /^$/],
    [["bogus"], 1, /^$/, /^Error: Unknown auth command "bogus"\. Use "pi auth login", .*, or "pi auth check"\.\n/],
    [["check", "--foo"], 1, /^$/, /^Unknown option --foo for "auth check"\.\n/],
    [["check"], 2, /^$/, /^Error: Auth checks require --provider <provider> or --model <model>\n/],
    [["check", "--provider", "scripted"], 0, /^ready\n$/, /^$/],
    [["check", "--model", "m1", "--credentials"], 0, /^test-key\n$/, /^$/],
    [["check", "--provider", "groq"], 1, /^not_ready\n$/, /^$/],
    [["check", "--provider", "nope"], 2, /^invalid\n$/, /^Error: Unknown provider "nope"\. Use --list-models to see/],
    [
      ["check", "--provider", "groq", "--json"],
      1,
      /^{"status":"not_ready","provider":"groq","reason":"credentials_not_configured"}\n$/,
      /^$/,
    ],
    [["print-api-key", "--provider", "scripted"], 0, /^test-key\n$/, /^$/],
    [["print-api-key"], 0, /^test-key\n$/, /^$/],
    [
      ["print-api-key", "--provider", "nope"],
      1,
      /^$/,
      /^Error: Unknown provider "nope"\. Use --list-models to see available providers\.\n/,
    ],
    [["print-api-key", "--json"], 1, /^$/, /^--json is only supported by auth check\n/],
    [
      ["print-bearer-token"],
      1,
      /^$/,
      /^No usable OAuth bearer token is configured\nSign in: pi auth login <provider>\n$/,
    ],
    [["print-bearer-token", "--min-expiry", "soon"], 1, /^$/, /^--min-expiry must use a duration such as 30m or 1h\n/],
    [["login", "scripted"], 1, /^$/, /^"pi auth login" requires an interactive terminal\nWithout one, /],
    [["logout", "nope"], 1, /^$/, /^Unknown provider "nope"\.\n/],
    [["logout", "scripted"], 0, /^Nothing is stored for scripted\.\n$/, /^$/],
  ])("%j", async (args, code, stdout, stderr) => {
    const pi = await start([]);
    const run = await pi.run(["auth", ...args]);
    expect(run.stdout).toMatch(stdout);
    expect(run.stderr).toMatch(stderr);
    expect(run.code).toBe(code);
  });

  it("several providers: which one has to be said", async () => {
    const pi = await start([]);
    const run = await pi.run(["auth", "print-api-key"], { env: { GROQ_API_KEY: "g" } });
    expect(run).toMatchObject({
      code: 1,
      stderr: "Multiple configured providers matched (groq, scripted). Specify --provider.\n",
    });
  });

  it("a bearer token is renewed when it does not last long enough, and forgotten on request", async () => {
    const pi = await start([]);
    const tokens = await TokenServer.start("refresh-0");
    cleanups.push(() => tokens.close());
    const corp = { type: "oauth", access: "access-0", refresh: "refresh-0", expires: Date.now() + 10 * 60_000 };
    pi.configure("auth.json", JSON.stringify({ corp }));
    pi.configure("models.json", '{"providers":{"corp":{"compat":{}}}}');
    pi.configure("auth-clients.json", JSON.stringify({ corp: { clientId: "c", tokenUrl: tokens.url } }));
    const print = (...args: string[]) => pi.run(["auth", "print-bearer-token", ...args]);
    expect((await print("--min-expiry", "5m")).stdout).toBe("access-0\n");
    expect((await print()).stdout).toBe("access-1\n");
    expect((await print("--provider", "corp")).stdout).toBe("access-1\n");
    expect(tokens.used).toEqual(["refresh-0"]);
    const check = await pi.run(["auth", "check", "--provider", "corp", "--json", "--credentials"]);
    expect(JSON.parse(check.stdout)).toEqual({
      status: "ready",
      provider: "corp",
      authType: "oauth",
      credentials: { apiKey: "access-1" },
    });
    expect(await pi.run(["auth", "print-api-key", "--provider", "corp"])).toMatchObject({ code: 1 });
    expect(await pi.run(["auth", "logout", "corp"])).toMatchObject({ code: 0, stdout: "Signed out of corp.\n" });
    expect(JSON.parse(readFileSync(join(pi.agentDir, "auth.json"), "utf8"))).toEqual({});
    pi.configure("auth.json", "{broken");
    expect(await pi.run(["auth", "check", "--provider", "corp"])).toMatchObject({ code: 2, stdout: "invalid\n" });
  });
});
