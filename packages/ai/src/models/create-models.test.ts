import { describe, expect, test } from "vitest";
import { InMemoryCredentialStore } from "../auth/credential-store.js";
import { envApiKeyAuth } from "../auth/env-api-key.js";
import type { Credential, OAuthAuth, OAuthCredential } from "../auth/types.js";
import { fauxAssistantMessage } from "../faux/builders.js";
import { createFauxCore } from "../faux/faux-provider.js";
import { fauxProvider } from "../faux/faux-provider-handle.js";
import type { ClientIdentity, Model, SimpleStreamOptions } from "../types.js";
import { createModels } from "./create-models.js";
import { createProvider } from "./create-provider.js";
import { ModelsError } from "./models-error.js";
import { InMemoryModelsStore } from "./models-store.js";
import type { CreateModelsOptions, Provider } from "./types.js";
import { withClientIdentity } from "./with-client-identity.js";

const hello = { messages: [{ role: "user" as const, content: "hello", timestamp: 1 }] };

/** A collection with one provider `p`, whose requests are recorded. */
function setup(
  options: {
    env?: Record<string, string>;
    stored?: Credential;
    oauth?: OAuthAuth;
    resolveHeaders?: Provider["resolveHeaders"];
  } = {},
) {
  const faux = createFauxCore({ provider: "p" });
  const seen: { model: Model; options: SimpleStreamOptions | undefined }[] = [];
  const stream: typeof faux.stream = (model, context, requestOptions) => {
    seen.push({ model, options: requestOptions });
    faux.appendResponses([fauxAssistantMessage("hi")]);
    return faux.stream(model, context, requestOptions);
  };
  const provider = createProvider({
    id: "p",
    auth: { apiKey: envApiKeyAuth("P key", ["P_KEY", "P_OLD_KEY"]), ...(options.oauth && { oauth: options.oauth }) },
    models: faux.models,
    api: { stream, streamSimple: stream },
  });
  if (options.resolveHeaders) provider.resolveHeaders = options.resolveHeaders;
  const credentials = new InMemoryCredentialStore(options.stored ? { p: options.stored } : {});
  const modelOptions: CreateModelsOptions = {
    credentials,
    authContext: { env: async (name) => options.env?.[name], fileExists: async () => false },
  };
  const models = createModels(modelOptions);
  models.setProvider(provider);
  return { models, model: faux.models[0], seen, credentials, provider };
}

describe("where a key comes from (llm.md section 11.1)", () => {
  test.each<[string, Parameters<typeof setup>[0], { apiKey?: string }, string | undefined]>([
    [
      "the request",
      { env: { P_KEY: "env" }, stored: { type: "api_key", key: "stored" } },
      { apiKey: "given" },
      "given",
    ],
    ["the store", { env: { P_KEY: "env" }, stored: { type: "api_key", key: "stored" } }, {}, "stored"],
    [
      "variables of the stored entry",
      { env: { P_KEY: "env" }, stored: { type: "api_key", env: { P_OLD_KEY: "own" } } },
      {},
      "env",
    ],
    ["the environment", { env: { P_OLD_KEY: "old" } }, {}, "old"],
    ["a stored entry without a key: nothing", { env: { P_KEY: "env" }, stored: { type: "api_key" } }, {}, undefined],
    [
      "a stored sign-in without a handler: nothing",
      { env: { P_KEY: "env" }, stored: { type: "oauth", access: "a", refresh: "r", expires: 9e15 } },
      {},
      undefined,
    ],
    ["nothing", {}, {}, undefined],
  ])("%s", async (_name, options, overrides, key) => {
    const { models, model } = setup(options);
    expect((await models.getAuth("p", overrides))?.auth.apiKey).toBe(key);
    const message = await models.completeSimple(model, hello, overrides);
    expect(message.errorMessage).toBe(key === undefined ? "Provider is not configured: p" : undefined);
  });

  test("what is usable", async () => {
    expect(await setup().models.checkAuth("p")).toBeUndefined();
    expect(await setup().models.getAvailable()).toEqual([]);
    const { models, model } = setup({ env: { P_KEY: "k" } });
    expect(await models.checkAuth("p")).toEqual({ type: "api_key", source: "P_KEY" });
    expect(await models.getAvailable()).toEqual([model]);
    expect(await models.getAvailable("q")).toEqual([]);
    expect(await models.checkAuth("q")).toBeUndefined();
  });
});

describe("a request (llm.md section 5)", () => {
  test("headers: provider, then request, whatever the case; transformHeaders sees them; null survives", async () => {
    const { models, model, seen } = setup({
      env: { P_KEY: "k" },
      resolveHeaders: async (requested, { auth }) => ({
        "X-A": "provider",
        "x-b": "provider",
        "x-model": `${requested?.id} ${auth.apiKey}`,
      }),
    });
    let before: unknown;
    await models.complete(model, hello, {
      headers: { "X-B": "request", "user-agent": null },
      transformHeaders: (headers) => {
        before = headers;
        return { ...headers, "x-c": "added" };
      },
    });
    expect(before).toEqual({ "X-A": "provider", "X-B": "request", "x-model": "faux-1 k", "user-agent": null });
    expect(seen[0]?.options?.headers).toMatchObject({ "X-A": "provider", "X-B": "request", "x-c": "added" });
    expect(seen[0]?.options).not.toHaveProperty("transformHeaders");
    expect(seen[0]?.options?.apiKey).toBe("k");
  });

  test("base URL and variables of the sign-in; the request's variables win", async () => {
    const oauth: OAuthAuth = {
      name: "P",
      login: () => Promise.reject(new Error("unused")),
      refresh: () => Promise.reject(new Error("unused")),
      toAuth: async () => ({ apiKey: "t", baseUrl: "http://elsewhere" }),
    };
    const signedIn = setup({ oauth, stored: { type: "oauth", access: "a", refresh: "r", expires: 9e15 } });
    await signedIn.models.complete(signedIn.model, hello);
    expect(signedIn.seen[0]?.model.baseUrl).toBe("http://elsewhere");
    const withEnv = setup({ stored: { type: "api_key", key: "k", env: { A: "stored", B: "stored" } } });
    await withEnv.models.complete(withEnv.model, hello, { env: { B: "request" } });
    expect(withEnv.seen[0]?.options?.env).toEqual({ A: "stored", B: "request" });
  });

  test("failures are events: unknown provider, unknown API, a throwing header", async () => {
    const { models, model } = setup({
      env: { P_KEY: "k" },
      resolveHeaders: () => Promise.reject(new Error("no header")),
    });
    const text = async (target: Model) => (await models.completeSimple(target, hello)).errorMessage;
    expect(await text({ ...model, provider: "q" })).toBe("Unknown provider: q");
    expect(await text(model)).toBe("no header");
    models.setProvider(
      createProvider({ id: "r", auth: { apiKey: envApiKeyAuth("R", ["P_KEY"]) }, models: [], api: {} }),
    );
    expect(await text({ ...model, provider: "r", api: "z" })).toBe('Provider r has no API implementation for "z"');
    expect(() => createProvider({ id: "s", auth: {}, models: [] })).toThrow(
      'Provider s: at least one of "api", "images", or "classifiers" is required.',
    );
  });

  test("identities merge, the request's on top", async () => {
    const { models, model, seen } = setup({ env: { P_KEY: "k" } });
    const identity: ClientIdentity = { version: "2", userAgent: "short" };
    await withClientIdentity(models, identity).completeSimple(model, hello, { identity: { version: "3" } });
    expect(seen[0]?.options?.identity).toEqual({ version: "3", userAgent: "short" });
  });

  test("the faux provider in a collection", async () => {
    const faux = fauxProvider();
    const models = createModels();
    models.setProvider(faux.provider);
    faux.setResponses([fauxAssistantMessage("Hello")]);
    expect(await models.complete(faux.getModel(), hello)).toMatchObject({
      stopReason: "stop",
      content: [{ text: "Hello" }],
    });
    expect(await models.complete(faux.getModel(), hello)).toMatchObject({ stopReason: "error" });
    expect(faux.state.callCount).toBe(2);
  });
});

describe("renewing a token (llm.md section 11.4)", () => {
  const stale = (): OAuthCredential => ({
    type: "oauth",
    access: "old",
    refresh: "r1",
    expires: Date.now() + 60_000,
    account: "x",
  });

  function signIn(refresh: OAuthAuth["refresh"]) {
    const oauth: OAuthAuth = {
      name: "P",
      login: async () => stale(),
      refresh,
      toAuth: async ({ access }) => ({ apiKey: access }),
    };
    return setup({ oauth, stored: stale() });
  }
  const renewed = { access: "new", refresh: "r2", expires: Date.now() + 3_600_000, type: "oauth" as const };

  test("once for many requests, keeping what the answer leaves out", async () => {
    let refreshes = 0;
    const { models, credentials } = signIn(async () => {
      refreshes++;
      await new Promise((resolve) => setTimeout(resolve, 20));
      return renewed;
    });
    const keys = await Promise.all(Array.from({ length: 20 }, () => models.getAuth("p")));
    expect(new Set(keys.map((result) => result?.auth.apiKey))).toEqual(new Set(["new"]));
    expect(refreshes).toBe(1);
    expect(await credentials.read("p")).toEqual({ ...renewed, account: "x" });
  });

  test("an abort ends the wait but not the renewal", async () => {
    const { models, credentials } = signIn(async (_credential, signal) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      signal.throwIfAborted();
      return renewed;
    });
    const caller = new AbortController();
    const result = models.getAuth("p", { signal: caller.signal });
    setTimeout(() => caller.abort(), 10);
    await expect(result).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(await credentials.read("p")).toMatchObject({ access: "new", refresh: "r2" });
  });

  test("a failure keeps the credential and names the reason", async () => {
    const { models, model, credentials } = signIn(() => Promise.reject(new Error("invalid_grant (400 from host)")));
    const before = await credentials.read("p");
    await expect(models.getAuth("p")).rejects.toMatchObject({ code: "oauth", message: "OAuth refresh failed for p" });
    const { errorMessage } = await models.complete(model, hello);
    expect(errorMessage).toBe("OAuth refresh failed for p: invalid_grant (400 from host)");
    expect(await credentials.read("p")).toEqual(before);
  });

  test("a longer validity may be asked for", async () => {
    const { models } = signIn(async () => ({ ...renewed, expires: Date.now() + 20 * 60_000 }));
    expect((await models.getAuth("p"))?.auth.apiKey).toBe("new");
    await expect(models.getAuth("p", { minOAuthValidityMs: 30 * 60_000 })).resolves.toMatchObject({
      auth: { apiKey: "new" },
    });
  });
});

describe("catalogues that grow", () => {
  const fetched = (id: string): Model => ({
    id,
    name: id,
    api: "x",
    provider: "?",
    baseUrl: "",
    reasoning: false,
    input: ["text"],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 1,
    maxTokens: 1,
  });

  test("what is stored first, then what is fetched; a failure leaves what was there", async () => {
    let answer: () => Promise<Model[]> = async () => [fetched("a"), fetched("b")];
    const modelsStore = new InMemoryModelsStore();
    const make = () => {
      const models = createModels({
        modelsStore,
        authContext: { env: async () => "key", fileExists: async () => false },
      });
      models.setProvider(
        createProvider({
          id: "p",
          auth: { apiKey: envApiKeyAuth("P", ["K"]) },
          models: [fetched("built-in")],
          fetchModels: () => answer(),
          api: {},
        }),
      );
      return models;
    };
    const ids = (models: ReturnType<typeof make>) => models.getModels("p").map(({ id }) => id);
    const models = make();
    expect(ids(models)).toEqual(["built-in"]);
    expect(await models.refresh()).toEqual({ aborted: false, errors: new Map() });
    expect(ids(models)).toEqual(["a", "b"]);
    expect(models.getModel("p", "a")).toMatchObject({ provider: "p" });
    const next = make();
    await next.refresh({ allowNetwork: false });
    expect(ids(next)).toEqual(["a", "b"]);
    answer = () => Promise.reject(new Error("down"));
    const failed = await next.refresh();
    expect(failed.errors.get("p")?.message).toBe("down");
    expect(ids(next)).toEqual(["a", "b"]);
    answer = async () => [{} as Model];
    expect((await next.refresh()).errors.get("p")).toBeInstanceOf(ModelsError);
    const aborted = await next.refresh({ signal: AbortSignal.abort() });
    expect(aborted.aborted).toBe(true);
  });
});

test("signing in and out", async () => {
  const oauth: OAuthAuth = {
    name: "P",
    login: async ({ prompt }) => ({
      type: "oauth",
      access: await prompt({ type: "text", message: "?" }),
      refresh: "r",
      expires: 9e15,
    }),
    refresh: async (credential) => credential,
    toAuth: async ({ access }) => ({ apiKey: access }),
  };
  const { models, credentials } = setup({ oauth });
  const interaction = { prompt: async () => " typed ", notify: () => {} };
  await models.login("p", "oauth", interaction);
  expect(await credentials.list()).toEqual([{ providerId: "p", type: "oauth" }]);
  await models.login("p", "api_key", interaction);
  expect(await credentials.read("p")).toEqual({ type: "api_key", key: "typed" });
  // Nothing entered changes nothing.
  await models.login("p", "api_key", { ...interaction, prompt: async () => "  " });
  expect(await credentials.read("p")).toEqual({ type: "api_key", key: "typed" });
  await models.logout("p");
  expect(await credentials.list()).toEqual([]);
  await expect(models.login("q", "oauth", interaction)).rejects.toThrow("Unknown provider: q");
  models.setProvider(createProvider({ id: "bare", auth: {}, models: [], api: {} }));
  await expect(models.login("bare", "oauth", interaction)).rejects.toThrow(
    "Provider bare does not support signing in.",
  );
});
