import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { PiFixture, type PiOptions, type PiRun } from "../pi.js";
import { TokenServer } from "./token-server.js";

/** A secret in every place that a key can come from must not come out anywhere but at the provider. */
const CANARY = "canary-3f9a71c2e5d84b60";

let pi: PiFixture | undefined;
let tokens: TokenServer | undefined;
afterEach(async () => {
  await pi?.close();
  await tokens?.close();
  pi = undefined;
  tokens = undefined;
});

interface Place {
  files?: (baseUrl: string, tokenUrl: string) => Record<string, unknown>;
  args?: string[];
  env?: Record<string, string>;
  /** Where the provider sees the secret. */
  header?: string;
}

const provider = (baseUrl: string, fields: object = {}) => ({
  providers: { scripted: { api: "anthropic-messages", baseUrl, models: [{ id: "m1" }], ...fields } },
});

const places: Record<string, Place> = {
  "models.json, literal": { files: (url) => ({ "models.json": provider(url, { apiKey: CANARY }) }) },
  "models.json, variable": {
    files: (url) => ({ "models.json": provider(url, { apiKey: "$SECRET" }) }),
    env: { SECRET: CANARY },
  },
  "models.json, command": {
    files: (url) => ({ "models.json": provider(url, { apiKey: '!cat "$SECRET_FILE"' }), "secret.txt": CANARY }),
  },
  "models.json, header": {
    files: (url) => ({ "models.json": provider(url, { apiKey: "x", headers: { "x-secret": `token ${CANARY}` } }) }),
    header: "x-secret",
  },
  "models.json, authHeader": {
    files: (url) => ({ "models.json": provider(url, { apiKey: CANARY, authHeader: true }) }),
    header: "authorization",
  },
  "auth.json, key": {
    files: (url) => ({ "models.json": provider(url), "auth.json": { scripted: { type: "api_key", key: CANARY } } }),
  },
  "auth.json, env": {
    files: (url) => ({
      "models.json": provider(url),
      "auth.json": { scripted: { type: "api_key", key: "$K", env: { K: CANARY } } },
    }),
  },
  "auth.json, sign-in": {
    files: (url, tokenUrl) => ({
      "models.json": provider(url),
      "auth-clients.json": { scripted: { clientId: "c", clientSecret: CANARY, tokenUrl } },
      "auth.json": { scripted: { type: "oauth", access: CANARY, refresh: CANARY, expires: 9e15 } },
    }),
  },
  "the command line": { files: (url) => ({ "models.json": provider(url) }), args: ["--api-key", CANARY] },
  "the environment": {
    files: (url) => ({ "models.json": { providers: { anthropic: { baseUrl: url, models: [{ id: "m1" }] } } } }),
    args: ["--model", "anthropic/m1"],
    env: { ANTHROPIC_API_KEY: CANARY },
  },
};

/** Everything that is left behind: the sessions, and whatever else was not there before. */
function written(root: string, inputs: readonly string[]): string {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => !inputs.includes(name) && statSync(join(root, name)).isFile())
    .map((name) => readFileSync(join(root, name), "utf8"))
    .join("\n");
}

async function run(place: Place, args: string[], script: Parameters<typeof PiFixture.start>[0]) {
  pi = await PiFixture.start(script);
  tokens = await TokenServer.start();
  const files = place.files?.(pi.server.baseUrl("anthropic-messages"), tokens.url) ?? {};
  for (const [name, value] of Object.entries(files)) {
    pi.configure(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  const options: PiOptions = { env: { ...place.env, SECRET_FILE: join(pi.agentDir, "secret.txt") } };
  const model = place.args?.includes("--model") ? [] : ["--model", "scripted/m1"];
  const result = await pi.run([...model, ...(place.args ?? []), ...args], options);
  return { result, inputs: Object.keys(files), requests: pi.server.requests, agentDir: pi.agentDir };
}

function expectNoCanary({ stdout, stderr }: PiRun, left: string): void {
  expect(stdout).not.toContain(CANARY);
  expect(stderr).not.toContain(CANARY);
  expect(left).not.toContain(CANARY);
}

/** The page that the only session is exported to, with what its data say in clear text behind it. */
async function exported(agentDir: string): Promise<string> {
  const sessions = join(agentDir, "sessions");
  const file = readdirSync(sessions, { recursive: true, encoding: "utf8" }).find((name) => name.endsWith(".jsonl"));
  const out = join(agentDir, "page.html");
  const run = await pi?.run(["--export", join(sessions, file ?? ""), out]);
  expect(run).toMatchObject({ code: 0, stderr: "" });
  const page = readFileSync(out, "utf8");
  const data = page.match(/[A-Za-z0-9+/]{200,}={0,2}/g) ?? [];
  return [page, ...data.map((text) => Buffer.from(text, "base64").toString("utf8"))].join("\n");
}

describe("a secret stays where it is", () => {
  it.each(Object.entries(places))("%s: it works, and shows nowhere", async (_name, place) => {
    const answer = { blocks: [{ type: "text" as const, text: "fine" }] };
    const { result, inputs, requests, agentDir } = await run(place, ["--mode", "json", "-p", "hello"], [answer]);
    expect(result.code).toBe(0);
    expect(result.stdout).toContain('"fine"');
    // The provider did get it.
    const headers = JSON.stringify(requests[0]?.headers[place.header ?? "x-api-key"]);
    expect(headers).toContain(CANARY);
    expectNoCanary(result, written(agentDir, inputs));
    const page = await exported(agentDir);
    expect(page).toContain("hello");
    expect(page).not.toContain(CANARY);
  });

  it.each(Object.entries(places))("%s: nor when the provider refuses", async (_name, place) => {
    const { result, inputs, agentDir } = await run(
      place,
      ["-p", "hello"],
      [{ fault: { kind: "status", status: 401 } }],
    );
    expect(result.code).toBe(1);
    expect(result.stderr).not.toBe("");
    expectNoCanary(result, written(agentDir, inputs));
  });

  it.each<[string, Record<string, string>]>([
    ["models.json that does not parse", { "models.json": `{"providers":{"scripted":{"apiKey":"${CANARY}"x}}}` }],
    ["models.json of the wrong shape", { "models.json": `{"providers":{"scripted":{"apiKey":["${CANARY}"]}}}` }],
    ["auth.json that does not parse", { "auth.json": `{"scripted":{"type":"api_key","key":"${CANARY}"` }],
    ["settings.json that does not parse", { "settings.json": `{"apiKeys":{"x":"${CANARY}"}x` }],
    ["auth-clients.json that does not parse", { "auth-clients.json": `{"a":{"clientSecret":"${CANARY}"x` }],
  ])("%s", async (_name, files) => {
    const { result, inputs, agentDir } = await run(
      { files: () => files },
      ["-p", "hello"],
      [{ blocks: [{ type: "text", text: "fine" }] }],
    );
    expectNoCanary(result, written(agentDir, inputs));
  });

  it("a renewal that the provider refuses", async () => {
    const place: Place = {
      files: (url, tokenUrl) => ({
        "models.json": provider(url),
        "auth-clients.json": { scripted: { clientId: "c", tokenUrl } },
        "auth.json": { scripted: { type: "oauth", access: CANARY, refresh: CANARY, expires: 1 } },
      }),
    };
    const { result, inputs, agentDir } = await run(place, ["-p", "hello"], []);
    expect(result.code).toBe(1);
    expect(result.stderr).toMatch(
      /OAuth refresh failed for scripted: invalid_grant \(400 .*sign in again: pi auth login/,
    );
    expectNoCanary(result, written(agentDir, inputs));
  });
});
