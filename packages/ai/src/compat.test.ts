import { afterEach, describe, expect, test, vi } from "vitest";
import {
  type AssistantMessage,
  type AssistantMessageEvent,
  AssistantMessageEventStream,
  complete,
  completeSimple,
  fauxAssistantMessage,
  fauxText,
  fauxThinking,
  fauxToolCall,
  getApiProvider,
  getApiProviders,
  lazyApi,
  lazyStream,
  type Model,
  registerApiProvider,
  registerFauxProvider,
  resetApiProviders,
  stream,
  streamSimple,
  unregisterApiProviders,
} from "./compat.js";

afterEach(() => {
  resetApiProviders();
  vi.unstubAllEnvs();
});

const model = (api: string, provider = "p"): Model => ({ ...registerFauxProvider().getModel(), api, provider });

function answering(message: AssistantMessage): AssistantMessageEventStream {
  const result = new AssistantMessageEventStream();
  result.push({ type: "done", reason: "stop", message });
  return result;
}

describe("the registry", () => {
  test("an API nobody implements", async () => {
    expect(await complete(model("nowhere"), { messages: [] })).toMatchObject({
      stopReason: "error",
      errorMessage: "No API provider registered for api: nowhere",
    });
  });

  test("a registered API takes the place of a built-in one until it goes", () => {
    const builtin = getApiProvider("anthropic-messages");
    const own = {
      api: "anthropic-messages",
      stream: () => answering(fauxAssistantMessage("own")),
      streamSimple: () => answering(fauxAssistantMessage("own")),
    };
    registerApiProvider(own, "source");
    expect(getApiProvider("anthropic-messages")).not.toBe(builtin);
    unregisterApiProviders("other");
    expect(getApiProvider("anthropic-messages")).not.toBe(builtin);
    unregisterApiProviders("source");
    expect(getApiProvider("anthropic-messages")).toBe(builtin);
    expect(getApiProviders().map(({ api }) => api)).toEqual([
      "anthropic-messages",
      "azure-openai-responses",
      "bedrock-converse-stream",
      "google-generative-ai",
      "google-vertex",
      "mistral-conversations",
      "openai-codex-responses",
      "openai-completions",
      "openai-responses",
    ]);
  });

  test("models of another API are refused", () => {
    const provider = getApiProvider("anthropic-messages");
    const context = { messages: [] } as unknown as Parameters<NonNullable<typeof provider>["stream"]>[1];
    expect(() => provider?.stream(model("openai-responses"), context)).toThrow(
      "Mismatched api: openai-responses expected anthropic-messages",
    );
  });

  test("keys come from the environment, and prompt and tools from the context", async () => {
    vi.stubEnv("GROQ_API_KEY", "from-env");
    const seen: unknown[] = [];
    registerApiProvider({
      api: "own",
      stream: (_model, context, options) => {
        seen.push(context.messages, options?.apiKey);
        return answering(fauxAssistantMessage("ok"));
      },
      streamSimple: () => {
        throw new Error("thrown at the start");
      },
    });
    await complete(model("own", "groq"), { systemPrompt: "P", messages: [] }, { apiKey: "  " });
    expect(seen).toEqual([[{ role: "system", content: "P", timestamp: 0 }], "from-env"]);
    expect(await completeSimple(model("own"), { messages: [] })).toMatchObject({ errorMessage: "thrown at the start" });
  });

  test("an auth token goes into the Authorization header", async () => {
    const requests: RequestInit[] = [];
    const fetch = async (_url: unknown, init?: RequestInit) => {
      requests.push(init ?? {});
      return new Response("", { status: 400 });
    };
    const env = { ANTHROPIC_AUTH_TOKEN: "token" };
    await complete(model("anthropic-messages", "anthropic"), { messages: [] }, { env, fetch });
    const headers = requests[0]?.headers as Record<string, string>;
    expect(headers["authorization"]).toBe("Bearer token");
    expect(headers).not.toHaveProperty("x-api-key");
  });
});

describe("faux provider", () => {
  test("plays an answer with the full event protocol", async () => {
    const faux = registerFauxProvider({
      models: [{ id: "a", cost: { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 } }, { id: "b" }],
    });
    expect(faux.getModel("b")?.id).toBe("b");
    expect(faux.getModel("c")).toBeUndefined();
    const text = "Hello 👋 world, this is a longer text";
    const call = fauxToolCall("read", { path: "a.txt" }, { id: "1" });
    faux.setResponses([fauxAssistantMessage([fauxThinking("hm"), fauxText(text), call])]);
    const events: AssistantMessageEvent[] = [];
    const answer = streamSimple(faux.getModel(), { messages: [{ role: "user", content: "hi", timestamp: 1 }] });
    for await (const event of answer) events.push(event);
    const message = await answer.result();
    expect(message).toMatchObject({ stopReason: "toolUse", provider: "faux", model: "a", api: faux.api });
    expect(message.content).toEqual([fauxThinking("hm"), fauxText(text), call]);
    expect(events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1])).toEqual([
      "start",
      "thinking_start",
      "thinking_delta",
      "thinking_end",
      "text_start",
      "text_delta",
      "text_end",
      "toolcall_start",
      "toolcall_delta",
      "toolcall_end",
      "done",
    ]);
    expect(message.usage).toMatchObject({ input: 2, cacheRead: 0 });
    expect(message.usage.cost.total).toBeGreaterThan(0);
    expect(faux.state.callCount).toBe(1);
    faux.unregister();
    expect((await complete(faux.getModel(), { messages: [] })).errorMessage).toMatch(/^No API provider registered/);
  });

  test("steps in order, computed ones too, then none", async () => {
    const faux = registerFauxProvider();
    faux.setResponses([fauxAssistantMessage("one")]);
    faux.appendResponses([(_context, _options, state, { id }) => fauxAssistantMessage(`${id} ${state.callCount}`)]);
    expect(faux.getPendingResponseCount()).toBe(2);
    const texts: unknown[] = [];
    for (let turn = 0; turn < 3; turn++) {
      const message = await complete(faux.getModel(), { messages: [] });
      texts.push(message.errorMessage ?? message.content);
    }
    expect(texts).toEqual([[fauxText("one")], [fauxText("faux-1 2")], "No more faux responses queued"]);
  });

  test("a session's shared prefix counts as cached", async () => {
    const faux = registerFauxProvider();
    const ask = async (content: string, retention: "short" | "none" = "short") => {
      faux.setResponses([fauxAssistantMessage("ok")]);
      const { usage } = await completeSimple(
        faux.getModel(),
        { messages: [{ role: "user", content, timestamp: 1 }] },
        { sessionId: "s", cacheRetention: retention },
      );
      return [usage.input, usage.cacheRead, usage.cacheWrite];
    };
    expect(await ask("0123456789abcde")).toEqual([0, 0, 5]);
    expect(await ask("0123456789abcdefghi")).toEqual([0, 5, 1]);
    expect(await ask("0123456789abcdefghi", "none")).toEqual([6, 0, 0]);
  });

  test("abort", async () => {
    const faux = registerFauxProvider({ tokensPerSecond: 20 });
    faux.setResponses([fauxAssistantMessage("a long text that takes a while to be told")]);
    const controller = new AbortController();
    const answer = stream(faux.getModel(), { messages: [] }, { signal: controller.signal });
    for await (const event of answer) if (event.type === "start") controller.abort();
    expect(await answer.result()).toMatchObject({ stopReason: "aborted", errorMessage: "Request was aborted" });
  });
});

describe("lazy", () => {
  test("a setup that fails, and a source that breaks or ends early", async () => {
    const target = model("x");
    const failing = lazyStream(target, async () => {
      throw new Error("no module");
    });
    expect(await failing.result()).toMatchObject({ stopReason: "error", errorMessage: "no module", model: target.id });
    const partial = fauxAssistantMessage("half");
    const breaking = lazyStream(target, async () =>
      (async function* () {
        yield { type: "start", partial } as const;
        throw new Error("broke");
      })(),
    );
    expect(await breaking.result()).toMatchObject({ errorMessage: "broke", content: partial.content });
    const results: unknown[] = [];
    const short = lazyStream(target, async () => (async function* () {})(), {
      onResult: (result) => results.push(result?.errorMessage),
    });
    expect(await short.result()).toMatchObject({ errorMessage: "Stream ended without a final event" });
    await Promise.resolve();
    expect(results).toEqual(["Stream ended without a final event"]);
  });

  test("an API is loaded once, with the first request", async () => {
    const load = vi.fn(async () => ({
      stream: () => answering(fauxAssistantMessage("ok")),
      streamSimple: () => {
        throw new Error("No API key for provider: p");
      },
    }));
    const api = lazyApi(load);
    const context = { messages: [] } as unknown as Parameters<typeof api.stream>[1];
    expect(load).not.toHaveBeenCalled();
    for (let turn = 0; turn < 2; turn++) {
      expect(await api.stream(model("x"), context).result()).toMatchObject({ stopReason: "stop" });
      expect(await api.streamSimple(model("x"), context).result()).toMatchObject({
        errorMessage: "No API key for provider: p",
      });
    }
    expect(load).toHaveBeenCalledTimes(1);
  });
});
