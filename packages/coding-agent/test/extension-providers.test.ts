import { createAssistantMessageEventStream, fauxAssistantMessage, type Model } from "@earendil-works/pi-ai";
import { afterEach, expect, it } from "vitest";
import type { ExtensionAPI, ExtensionFactory, ProviderConfig } from "../src/index.js";
import { type ExtensionSession, extensionSession, textOf } from "./extension-session.js";
import { inTemporaryFolder } from "./temporary-folder.js";

let folder: string;
inTemporaryFolder("pi-extension-providers-", (path) => {
  folder = path;
});
let at: ExtensionSession | undefined;
afterEach(async () => {
  await at?.runtime.dispose();
  at = undefined;
});

const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const entry = (id: string, contextWindow = 1000) => ({
  id,
  name: id,
  reasoning: false,
  input: ["text" as const],
  cost,
  contextWindow,
  maxTokens: 100,
});

/** Answers with the key it was given, and goes through the hooks of requests. */
const answering: Pick<ProviderConfig, "api" | "baseUrl" | "streamSimple"> = {
  api: "corp-api",
  baseUrl: "http://corp.invalid",
  streamSimple(model, context, options) {
    const stream = createAssistantMessageEventStream();
    void (async () => {
      const payload = await options?.onPayload?.({ count: context.messages.length }, model);
      await options?.onResponse?.({ status: 201, headers: { "x-corp": "yes" } }, model);
      const text = `${model.id} with ${options?.apiKey} sent ${JSON.stringify(payload)}`;
      const message = { ...fauxAssistantMessage(text), api: model.api, provider: model.provider, model: model.id };
      stream.push({ type: "start", partial: message });
      stream.push({ type: "done", reason: "stop", message });
      stream.end(message);
    })();
    return stream;
  },
};

async function open(extension: ExtensionFactory) {
  at = await extensionSession(folder, [extension]);
  const { session } = at;
  const registry = session.modelRuntime;
  return { session, registry, ids: () => registry.getModels("corp").map(({ id }: Model) => id) };
}

it("a provider answers with the key of its sign-in, through the hooks of others, and goes with its extension", async () => {
  const seen: unknown[] = [];
  const { session, registry, ids } = await open((pi) => {
    pi.registerProvider("corp", {
      ...answering,
      name: "Corporation",
      models: [entry("one", 200_000), entry("two")],
      oauth: {
        name: "Corporation sign-in",
        login: async ({ onPrompt }) => ({
          access: `token of ${await onPrompt({ message: "Who?" })}`,
          refresh: "r",
          expires: Date.now() + 3_600_000,
        }),
        refreshToken: async (credentials) => credentials,
        getApiKey: ({ access }) => access,
        modifyModels: (models) => models.map((model) => ({ ...model, name: `signed in: ${model.id}` })),
      },
    });
    pi.on("before_provider_request", ({ payload }) => ({ ...(payload as object), added: true }));
    pi.on("after_provider_response", ({ status, headers }) => void seen.push([status, headers]));
    pi.registerCommand("drop", { handler: async () => pi.unregisterProvider("corp") });
  });
  expect(ids()).toEqual(["one", "two"]);
  expect(registry.hasConfiguredAuth("corp")).toBe(false);
  await registry.login("corp", "oauth", { prompt: async () => "Ada", notify: () => {} });
  expect(registry.hasConfiguredAuth("corp")).toBe(true);
  const model = registry.getModel("corp", "one");
  expect(model?.name).toBe("signed in: one");
  await session.setModel(model as Model);
  await session.prompt("hi");
  expect(textOf(session.messages.at(-1))).toMatch(/^one with token of Ada sent \{"count":\d+,"added":true\}$/);
  expect(seen).toEqual([[201, { "x-corp": "yes" }]]);
  await session.prompt("/drop");
  expect(ids()).toEqual([]);
});

it("registered later it acts at once: the model in use is the new one, and the last registration counts", async () => {
  let pi: ExtensionAPI | undefined;
  const { session, registry, ids } = await open((api) => {
    pi = api;
    api.registerProvider("corp", { ...answering, apiKey: "first", models: [entry("one")] });
  });
  await session.setModel(registry.getModel("corp", "one") as Model);
  pi?.registerProvider("corp", { apiKey: "second", models: [entry("one", 5000), entry("more")] });
  expect(session.model?.contextWindow).toBe(5000);
  expect(ids()).toEqual(["one", "more"]);
  await session.prompt("hi");
  expect(textOf(session.messages.at(-1))).toContain("one with second");
  expect(() => pi?.registerProvider("corp", { models: [{ ...entry(""), id: "" }] })).toThrow('a model has no "id"');
  // One that is not there is no mistake to take away.
  pi?.unregisterProvider("nobody");
  await session.reload();
  expect(ids()).toEqual(["one"]);
});

it("a built-in provider that was pointed elsewhere is its old self again", async () => {
  let pi: ExtensionAPI | undefined;
  const { registry } = await open((api) => {
    pi = api;
  });
  const before = registry.getModels("anthropic");
  const first = before[0] as Model;
  pi?.registerProvider("anthropic", { baseUrl: "http://proxy.invalid", headers: { "x-team": "red" } });
  expect(registry.getModel("anthropic", first.id)?.baseUrl).toBe("http://proxy.invalid");
  pi?.registerProvider("anthropic", { ...answering, models: [entry("only")] });
  expect(registry.getModels("anthropic").map(({ id }: Model) => id)).toEqual(["only"]);
  pi?.unregisterProvider("anthropic");
  expect(registry.getModels("anthropic")).toEqual(before);
});
