import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAssistantMessageEventStream, fauxAssistantMessage, fauxProvider } from "@earendil-works/pi-ai";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ModelRegistry } from "../model-registry.js";
import { AuthStorage, readStoredCredential } from "./auth-storage.js";
import { ModelRuntime } from "./model-runtime.js";

let agentDir: string;
let commands: string[];
beforeEach(() => {
  agentDir = mkdtempSync(join(tmpdir(), "pi-models-"));
  commands = [];
  for (const name of ["GROQ_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "MY_KEY"]) vi.stubEnv(name, "");
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(agentDir, { recursive: true, force: true });
});

const put = (name: string, value: unknown) =>
  writeFileSync(join(agentDir, name), typeof value === "string" ? value : JSON.stringify(value));
const runtime = () =>
  new ModelRuntime({
    agentDir,
    runCommand: async (command) => {
      commands.push(command);
      return command === "bad" ? undefined : `out-${commands.length}`;
    },
  });
const keyOf = async (models: ModelRuntime, provider = "groq") => (await models.getAuth(provider))?.auth.apiKey;

describe("keys (llm.md section 11)", () => {
  it("run time, stored, extension, models.json, environment: the first there is", async () => {
    vi.stubEnv("GROQ_API_KEY", "env");
    expect(await keyOf(runtime())).toBe("env");
    expect(runtime().getProviderAuthStatus("groq")).toEqual({
      configured: true,
      source: "environment",
      label: "GROQ_API_KEY",
    });
    put("models.json", { providers: { groq: { apiKey: "file" } } });
    expect(await keyOf(runtime())).toBe("file");
    const extended = runtime();
    extended.registerProvider("groq", { apiKey: "extension" });
    expect(await keyOf(extended)).toBe("extension");
    put("auth.json", { groq: { type: "api_key", key: "stored" } });
    extended.registerProvider("groq", {});
    expect(await keyOf(extended)).toBe("stored");
    extended.setRuntimeApiKey("groq", "$literal");
    expect(await keyOf(extended)).toBe("$literal");
    expect(extended.getProviderAuthStatus("groq").source).toBe("runtime");
    extended.removeRuntimeApiKey("groq");
    expect(await keyOf(extended)).toBe("stored");
  });

  it("a stored entry blocks what comes after it, also when it fails", async () => {
    vi.stubEnv("GROQ_API_KEY", "env");
    put("auth.json", { groq: { type: "api_key", key: "$MY_KEY" } });
    expect(runtime().hasConfiguredAuth("groq")).toBe(false);
    await expect(keyOf(runtime())).rejects.toThrow(
      'Failed to resolve API key for provider "groq" from environment variable: MY_KEY',
    );
    put("auth.json", { groq: { type: "api_key", key: "$MY_KEY", env: { MY_KEY: "own" } } });
    expect(await runtime().getAuth("groq")).toMatchObject({ auth: { apiKey: "own" }, env: { MY_KEY: "own" } });
  });

  it("commands of auth.json run once, those of models.json for every request, neither to list models", async () => {
    put("auth.json", { groq: { type: "api_key", key: "!stored" }, xai: { type: "api_key", key: "!bad" } });
    put("models.json", {
      providers: {
        mine: { api: "openai-completions", baseUrl: "http://x/v1", apiKey: "!listed", models: [{ id: "m" }] },
      },
    });
    const models = runtime();
    const available = (await models.getAvailable()).map(({ provider }) => provider);
    expect(new Set(available)).toEqual(new Set(["groq", "xai", "mine"]));
    expect(await models.checkAuth("groq")).toEqual({ type: "api_key", source: "stored" });
    expect(models.getProviderAuthStatus("mine").source).toBe("models_json_command");
    expect(commands).toEqual([]);
    expect([await keyOf(models), await keyOf(models)]).toEqual(["out-1", "out-1"]);
    expect([await keyOf(models, "mine"), await keyOf(models, "mine")]).toEqual(["out-2", "out-3"]);
    await expect(keyOf(models, "xai")).rejects.toThrow('for provider "xai" from shell command: bad');
    await expect(keyOf(models, "xai")).rejects.toThrow();
    expect(commands.filter((command) => command === "bad")).toHaveLength(1);
  });

  it("a variable that is not set hides the provider; a missing key says what to do", async () => {
    put("models.json", { providers: { groq: { apiKey: "$MY_KEY" } } });
    const models = runtime();
    expect(models.hasConfiguredAuth("groq")).toBe(false);
    expect(models.getAvailableSnapshot()).toEqual([]);
    const model = models.find("anthropic", "claude-opus-5-5");
    if (!model) throw new Error("no model");
    await expect(models.requireAuth(model)).rejects.toThrow(
      /^No API key found for anthropic\.\n\nSet ANTHROPIC_AUTH_TOKEN or .*ANTHROPIC_API_KEY, run "pi auth login anthropic"/,
    );
    await expect(models.requireAuth({ ...model, provider: "gone" })).rejects.toThrow(
      /^No API key found for the selected model\.\n\nRun "pi auth login gone"/,
    );
    expect(await new ModelRegistry(models).getApiKeyAndHeaders(model)).toMatchObject({ ok: false });
  });

  it("a renamed provider is found under its old name", () => {
    expect(runtime().find("azure-openai-responses", "gpt-6.2-sol")?.provider).toBe("azure");
  });

  it("a broken auth.json fails requests, without quoting it, and not the start", async () => {
    put("auth.json", '{"groq": "sk-secret');
    const models = runtime();
    expect(models.hasConfiguredAuth("groq")).toBe(false);
    await expect(keyOf(models)).rejects.toThrow(/^Invalid credentials file .*auth\.json: it is not valid JSON \(/);
  });
});

describe("auth.json", () => {
  it("is not made by reading, and private when it is made", async () => {
    const path = join(agentDir, "auth.json");
    const storage = AuthStorage.create(path);
    expect(await storage.read("groq")).toBeUndefined();
    await storage.delete("groq");
    expect(existsSync(path)).toBe(false);
    await storage.modify("groq", async () => ({ type: "api_key", key: "k" }));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readStoredCredential("groq", path)).toEqual({ type: "api_key", key: "k" });
    expect(await storage.modify("groq", async () => undefined)).toEqual({ type: "api_key", key: "k" });
    await storage.delete("groq");
    expect(readFileSync(path, "utf8")).toBe("{}");
  });

  it("in memory, and entries that are none", async () => {
    const storage = AuthStorage.inMemory({ a: { type: "api_key", key: "k" }, b: 7 as never });
    expect(await storage.list()).toEqual([{ providerId: "a", type: "api_key" }]);
    await storage.modify("c", async () => ({ type: "oauth", access: "x", refresh: "y", expires: 1 }));
    expect(storage.get("c")).toMatchObject({ access: "x" });
  });

  it("credentials of older releases move in, once", () => {
    put("oauth.json", { anthropic: { access: "a", refresh: "r", expires: 5 } });
    put("settings.json", { apiKeys: { groq: "g" }, theme: "dark" });
    runtime();
    expect(JSON.parse(readFileSync(join(agentDir, "auth.json"), "utf8"))).toEqual({
      groq: { type: "api_key", key: "g" },
      anthropic: { type: "oauth", access: "a", refresh: "r", expires: 5 },
    });
    expect(JSON.parse(readFileSync(join(agentDir, "settings.json"), "utf8"))).toEqual({ theme: "dark" });
    expect(readdirSync(agentDir).sort()).toEqual(["auth.json", "oauth.json.migrated", "settings.json"]);
    expect(statSync(join(agentDir, "auth.json")).mode & 0o777).toBe(0o600);
    put("oauth.json", { other: {} });
    runtime();
    expect(existsSync(join(agentDir, "oauth.json"))).toBe(true);
  });
});

describe("layers (llm.md section 12)", () => {
  const headersOf = async (models: ModelRuntime, id: string) => {
    const model = models.find("p", id);
    if (!model) throw new Error(id);
    return (await models.getAuth(model))?.auth.headers;
  };

  it("headers: model over provider; of models, override < entry < extension", async () => {
    vi.stubEnv("MY_KEY", "mine");
    put("models.json", {
      providers: {
        p: {
          api: "openai-completions",
          baseUrl: "http://p/v1",
          apiKey: "k",
          authHeader: true,
          headers: { a: "provider", b: "provider", c: "$MY_KEY" },
          models: [{ id: "m", headers: { b: "entry", d: "entry" } }],
          modelOverrides: { m: { headers: { d: "override", e: "override" } } },
        },
      },
    });
    const models = runtime();
    expect(await headersOf(models, "m")).toEqual({
      a: "provider",
      b: "entry",
      c: "mine",
      d: "entry",
      e: "override",
      Authorization: "Bearer k",
    });
    expect(models.find("p", "m")?.headers).toBeUndefined();
    vi.stubEnv("MY_KEY", "");
    await expect(headersOf(models, "m")).rejects.toThrow(
      'Failed to resolve provider "p" header "c" from environment variable: MY_KEY',
    );
  });

  it("an extension replaces the list or re-points it; going away it leaves what was there; overrides stay on top", () => {
    put("models.json", { providers: { groq: { modelOverrides: { fresh: { maxTokens: 9 } } } } });
    const models = runtime();
    const before = models.getModels("groq");
    models.registerProvider("groq", { baseUrl: "http://proxy" });
    expect(models.getModels("groq").map(({ baseUrl }) => baseUrl)).toEqual(before.map(() => "http://proxy"));
    models.registerProvider("groq", { models: [{ id: "fresh" }] });
    expect(models.getModels("groq")).toMatchObject([
      { id: "fresh", baseUrl: "http://proxy", api: "openai-completions", maxTokens: 9 },
    ]);
    expect(() => models.registerProvider("groq", { streamSimple: () => createAssistantMessageEventStream() })).toThrow(
      'Provider groq: "api" is required when registering streamSimple.',
    );
    models.unregisterProvider("groq");
    expect(models.getModels("groq")).toEqual(before);
    expect(models.getRegisteredProviderIds()).toEqual([]);
    models.unregisterProvider("nobody");
  });

  it("streamSimple of an extension answers its api; a whole provider takes the place of another", async () => {
    const faux = fauxProvider({ provider: "mine" });
    faux.setResponses([fauxAssistantMessage("one"), fauxAssistantMessage("two")]);
    const models = runtime();
    const seen: unknown[] = [];
    models.registerProvider("mine", {
      baseUrl: "http://x",
      apiKey: "k",
      api: "mine-api",
      models: [{ id: "m" }],
      streamSimple: (model, context, options) => {
        seen.push(options?.apiKey);
        return faux.provider.streamSimple(model, context, options);
      },
    });
    const model = models.find("mine", "m");
    if (!model) throw new Error("no model");
    const hello = { messages: [] };
    expect(models.speaks("mine-api")).toBe(true);
    expect(await models.completeSimple(model, hello)).toMatchObject({ content: [{ text: "one" }] });
    expect(seen).toEqual(["k"]);
    const registry = new ModelRegistry(models);
    registry.unregisterProvider("mine");
    registry.registerProvider(faux.provider);
    expect(registry.getAvailable().filter(({ provider }) => provider === "mine")).toHaveLength(1);
    expect(await registry.complete(faux.getModel(), hello)).toMatchObject({ content: [{ text: "two" }] });
  });

  it("a whole provider says itself whether it can be used", async () => {
    const models = runtime();
    const { provider } = fauxProvider({ provider: "mine" });
    models.registerNativeProvider({
      ...provider,
      auth: {
        apiKey: { name: "k", resolve: async ({ ctx }) => ((await ctx.env("MY_KEY")) ? { auth: {} } : undefined) },
      },
    });
    expect(await models.getAvailable("mine")).toEqual([]);
    expect(models.hasConfiguredAuth("mine")).toBe(false);
    vi.stubEnv("MY_KEY", "set");
    expect(await models.getAvailable("mine")).toHaveLength(1);
    expect(models.hasConfiguredAuth("mine")).toBe(true);
  });

  it("a sign-in of an extension: signed in, renewed, models changed", async () => {
    const models = runtime();
    models.registerProvider("corp", {
      api: "openai-completions",
      baseUrl: "http://c",
      models: [{ id: "m" }],
      oauth: {
        name: "Corp",
        login: async (callbacks) => ({
          access: await callbacks.onPrompt({ message: "code?" }),
          refresh: "r",
          expires: Date.now() + 1000,
        }),
        refreshToken: async (credentials) => ({ ...credentials, access: "renewed", expires: Date.now() + 9e6 }),
        getApiKey: (credentials) => `key-${credentials.access}`,
        modifyModels: (list, credentials) => list.map((model) => ({ ...model, name: credentials.access })),
      },
    });
    expect(models.hasConfiguredAuth("corp")).toBe(false);
    await models.login("corp", "oauth", { prompt: async () => "typed", notify: () => {} });
    expect(models.isUsingOAuth("corp")).toBe(true);
    expect(await keyOf(models, "corp")).toBe("key-renewed");
    expect(models.getModels("corp")[0]?.name).toBe("renewed");
    await models.logout("corp");
    expect(models.hasConfiguredAuth("corp")).toBe(false);
  });

  it("refreshing: models.json is read again, an extension's list replaces, offline nobody is asked", async () => {
    const models = runtime();
    const asked: boolean[] = [];
    models.registerProvider("corp", {
      api: "openai-completions",
      baseUrl: "http://c",
      apiKey: "k",
      refreshModels: async ({ allowNetwork }) => {
        asked.push(allowNetwork);
        return [{ id: "dynamic" }];
      },
    });
    put("models.json", { providers: { q: { api: "x", baseUrl: "http://q", models: [{ id: "m" }] } } });
    expect(await models.refresh()).toMatchObject({ aborted: false });
    expect(models.find("q", "m")).toBeDefined();
    expect(models.getModels("corp").map(({ id }) => id)).toEqual(["dynamic"]);
    vi.stubEnv("PI_OFFLINE", "1");
    await models.refresh();
    expect(asked).toEqual([true, false]);
    put("models.json", "{");
    await models.refresh();
    expect(models.getError()).toMatch(/^Failed to parse models\.json: /);
    expect(models.find("q", "m")).toBeUndefined();
  });
});
