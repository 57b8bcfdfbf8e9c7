import { startScriptedServer } from "@pi/testkit";
import { expect, onTestFinished } from "vitest";
import { theProbesOf } from "./the-probes.js";

/** What extensions get under the name of the model layer: the whole of it, and TypeBox. */
type Ai = typeof import("@earendil-works/pi-ai/compat") & Pick<typeof import("typebox"), "Type">;

const cost = { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 };
const usage = {
  input: 1_000_000,
  output: 500_000,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { ...cost, total: 0 },
};
const system = [
  {
    role: "system" as const,
    content: "",
    sections: { a: "one", b: "two" },
    toolsAdded: [{ name: "t", description: "T", parameters: {} }],
    timestamp: 1,
  },
  { role: "user" as const, content: "hi", timestamp: 2 },
  { role: "system" as const, content: "", sections: { b: null }, timestamp: 3 },
];

/** A model of a scripted server that says hello. */
async function scripted(api: "anthropic-messages" | "openai-completions" | "openai-responses" = "anthropic-messages") {
  const server = await startScriptedServer({ script: () => ({ blocks: [{ type: "text", text: "hello" }] }) });
  onTestFinished(() => server.close());
  const model = {
    ...{ id: "m", name: "M", api, provider: "p", baseUrl: server.baseUrl(api), reasoning: false },
    ...{ input: ["text" as const], cost, contextWindow: 1000, maxTokens: 100 },
  };
  const context = { systemPrompt: "Be brief.", messages: [{ role: "user" as const, content: "hi", timestamp: 1 }] };
  return { server, model, context, options: { apiKey: "k" } };
}
const said = (message: { content: readonly object[] }) =>
  message.content.map((part) => ("text" in part ? part.text : "")).join("");

/** The streams of a wire format, as a provider of an extension hands a request on to them. */
async function streamsOf(
  api: Parameters<typeof scripted>[0],
  streams: { streamSimple(...args: never[]): { result(): Promise<unknown> } },
  all: Ai,
) {
  const { model, context, options } = await scripted(api);
  const transcript = all.normalizeContext(context);
  const answer = await streams.streamSimple(...([model, transcript, options] as never[])).result();
  expect(said(answer as { content: object[] })).toBe("hello");
}

theProbesOf<Ai>("@earendil-works/pi-ai", "pi-ai", {
  StringEnum: (StringEnum) =>
    expect(StringEnum(["a", "b"], { description: "D", default: "a" })).toEqual({
      type: "string",
      enum: ["a", "b"],
      description: "D",
      default: "a",
    }),
  Type: (Type) => expect(Type.Object({ a: Type.String() })).toMatchObject({ type: "object", required: ["a"] }),
  complete: async (complete) => {
    const { model, context, options } = await scripted();
    expect(said(await complete(model, context, options))).toBe("hello");
  },
  completeSimple: async (complete) => {
    const { model, context, options, server } = await scripted();
    expect(said(await complete(model, context, options))).toBe("hello");
    expect(server.requests[0]?.conversation.system).toBe("Be brief.");
  },
  streamSimple: async (stream) => {
    const { model, context, options } = await scripted();
    const types: string[] = [];
    for await (const { type } of stream(model, context, options)) types.push(type);
    expect([types[0], types.at(-1), types.includes("text_delta")]).toEqual(["start", "done", true]);
  },
  anthropicMessagesApi: (api, all) => streamsOf("anthropic-messages", api(), all),
  openAIResponsesApi: (api, all) => streamsOf("openai-responses", api(), all),
  openAICompletionsApi: (api, all) => streamsOf("openai-completions", api(), all),
  registerApiProvider: async (
    register,
    { completeSimple, createAssistantMessageEventStream, unregisterApiProviders },
  ) => {
    const { model, context } = await scripted();
    const stream = () => {
      const events = createAssistantMessageEventStream();
      const message = {
        role: "assistant" as const,
        content: [{ type: "text" as const, text: "mine" }],
        api: "probe-api",
        provider: "p",
        model: "m",
        usage,
        stopReason: "stop" as const,
        timestamp: 1,
      };
      events.push({ type: "done", reason: "stop", message });
      return events;
    };
    register({ api: "probe-api", stream, streamSimple: stream }, "probe");
    onTestFinished(() => unregisterApiProviders("probe"));
    expect(said(await completeSimple({ ...model, api: "probe-api" }, context, { apiKey: "k" }))).toBe("mine");
  },
  createProvider: (create, { anthropicMessagesApi }) => {
    const auth = { apiKey: { name: "K", resolve: async () => undefined } };
    const provider = create({ id: "probe", name: "Probe", models: [], auth, api: anthropicMessagesApi() } as never);
    expect(provider).toMatchObject({ id: "probe", name: "Probe" });
    expect(provider.getModels()).toEqual([]);
  },
  createAssistantMessageEventStream: async (create) => {
    const stream = create();
    const message = { role: "assistant", content: [], usage, stopReason: "stop" } as never;
    stream.push({ type: "done", reason: "stop", message });
    expect(await stream.result()).toBe(message);
  },
  getModel: (get) => expect([get("anthropic", "no-such-model"), get("nobody", "x")]).toEqual([undefined, undefined]),
  calculateCost: (calculate) => expect(calculate({ cost }, usage)).toMatchObject({ input: 1, output: 1, total: 2 }),
  clampThinkingLevel: (clamp) =>
    expect([clamp({ reasoning: false }, "high"), clamp({ reasoning: true }, "high")]).toEqual(["off", "high"]),
  getSupportedThinkingLevels: (get) =>
    expect([get({ reasoning: false }), get({ reasoning: true }).includes("low")]).toEqual([["off"], true]),
  getCurrentSystemPrompt: (get) => expect(get(system)).toBe("one"),
  getCurrentSystemMessage: (get) => expect(get(system)).toMatchObject({ role: "system", sections: { a: "one" } }),
  getCurrentTools: (get) => expect(get(system).map(({ name }) => name)).toEqual(["t"]),
  collapseSystemMessages: (collapse) => {
    const { messages } = collapse({ messages: system } as never);
    expect(messages.map(({ role }) => role)).toEqual(["system", "user"]);
  },
  ToolCallArgumentsStream: (Stream) => {
    const stream = new Stream();
    expect(stream.append('{"path": "a')).toEqual({ path: "a" });
    expect(stream.append('b"}')).toEqual({ path: "ab" });
  },
  parseJsonWithRepair: (parse) => {
    expect(parse('{"a": "x\ny"}')).toEqual({ a: "x\ny" });
    expect(() => parse("no json")).toThrow();
  },
  uuidv7: (uuid) => {
    const [a, b] = [uuid(), uuid()];
    expect(a).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(a < b).toBe(true);
  },
});

theProbesOf<typeof import("@earendil-works/pi-agent-core")>("@earendil-works/pi-agent-core", "pi-agent-core", {
  Agent: async (Agent) => {
    const { model, context } = await scripted();
    const agent = new Agent({
      initialState: { model: model as never, systemPrompt: "x" },
      getApiKey: () => "k",
    } as never);
    await agent.prompt(context.messages[0]?.content ?? "");
    expect(said(agent.state.messages.at(-1) as { content: object[] })).toBe("hello");
  },
});

const schema = { type: "object", properties: { a: { type: "number" } }, required: ["a"] } as const;

theProbesOf<typeof import("typebox")>("typebox", "typebox", {
  Type: (Type) =>
    expect(Type.Optional(Type.Union([Type.Literal("a"), Type.Number()]))).toMatchObject({
      anyOf: [{ const: "a" }, { type: "number" }],
    }),
});
theProbesOf<typeof import("typebox/compile")>("typebox/compile", "typebox/compile", {
  Compile: (Compile) => {
    const check = Compile(schema);
    expect([check.Check({ a: 1 }), check.Check({ a: "1" })]).toEqual([true, false]);
  },
});
theProbesOf<typeof import("typebox/value")>("typebox/value", "typebox/value", {
  Check: (Check) => expect([Check(schema, { a: 1 }), Check(schema, {})]).toEqual([true, false]),
  Errors: (Errors) => expect([...Errors(schema, {})].length).toBeGreaterThan(0),
});
