import { describe, expect, test } from "vitest";
import { normalizeContext } from "../transcript/context.js";
import type { AssistantMessage, Context, Message, Model, SimpleStreamOptions, Tool } from "../types.js";
import { streamSimple as anthropic } from "./anthropic-messages.js";
import { streamSimple as completions } from "./openai-completions.js";
import { streamSimple as responses } from "./openai-responses.js";

/** The bodies captured in llm-wire.md sections 2, 3, 6 and 12. */

const SYS = "You are helpful.";
const SID = "0198c0de-0000-7000-8000-000000000000";
const parameters = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const strict = { type: "json_schema", strict: "prefer" } as const;
const tools: Tool[] = [
  { name: "read", description: "Reads", parameters, constrainedSampling: strict },
  { name: "write", description: "Writes", parameters, constrainedSampling: strict },
];
const ENOENT = "ENOENT: no such file or directory, access 'missing.txt'";

const IDS: Record<string, string> = {
  "anthropic-messages": "claude-x",
  "openai-completions": "gpt-x",
  "openai-responses": "gpt-r",
};
const PROVIDERS: Record<string, string> = {
  "anthropic-messages": "anth",
  "openai-completions": "comp",
  "openai-responses": "resp",
};

function model(api: string, overrides: Partial<Model> = {}): Model {
  return {
    id: IDS[api] ?? "m",
    name: "M",
    api,
    provider: PROVIDERS[api] ?? "p",
    baseUrl: "http://127.0.0.1:9",
    reasoning: true,
    input: ["text", "image"],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 200_000,
    maxTokens: 16_384,
    ...overrides,
  };
}

const STARTS = { "anthropic-messages": anthropic, "openai-completions": completions, "openai-responses": responses };

interface Sent {
  url: string;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

/** What is sent; the answer does not matter. */
async function sent(target: Model, messages: Message[], options: SimpleStreamOptions = {}): Promise<Sent> {
  const context: Context = { systemPrompt: SYS, messages, tools };
  const result: Partial<Sent> = {};
  const start = STARTS[target.api as keyof typeof STARTS];
  await start(target, normalizeContext(context), {
    apiKey: "key",
    sessionId: SID,
    fetch: async (url, init) => {
      result.url = String(url);
      result.headers = init?.headers as Record<string, string>;
      result.body = JSON.parse(String(init?.body));
      return new Response("", { status: 400 });
    },
    ...options,
  }).result();
  return result as Sent;
}

const hi: Message = { role: "user", content: [{ type: "text", text: "hi" }], timestamp: 1 };
const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }], timestamp: 9 });

function answer(api: string, content: AssistantMessage["content"], overrides: Partial<AssistantMessage> = {}): Message {
  return {
    role: "assistant",
    content,
    api,
    provider: PROVIDERS[api] ?? "p",
    model: IDS[api] ?? "m",
    usage: {
      input: 0,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 0,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    },
    stopReason: "toolUse",
    timestamp: 2,
    ...overrides,
  };
}

function result(toolCallId: string, text: string, isError = false): Message {
  return {
    role: "toolResult",
    toolCallId,
    toolName: "read",
    content: [{ type: "text", text }],
    isError,
    timestamp: 3,
  };
}

const image: Extract<Message, { role: "toolResult" }>["content"] = [
  { type: "text", text: "Read image file [image/png]" },
  { type: "image", data: "IMG", mimeType: "image/png" },
];

const REASONING = {
  type: "reasoning",
  id: "rs_1",
  summary: [{ type: "summary_text", text: "pondering" }],
  encrypted_content: "ENC",
};

/** "pondering", "Hello", two calls, as each API stores it, and the results. */
function twoCalls(api: string): Message[] {
  const [first, second] = {
    "anthropic-messages": ["toolu_t1", "toolu_t2"],
    "openai-completions": ["call_t1", "call_t2"],
    "openai-responses": ["call_t1|fc_t1", "call_t2|fc_t2"],
  }[api] as [string, string];
  const signature = {
    "anthropic-messages": "c2lnMQ==",
    "openai-completions": "reasoning_content",
    "openai-responses": JSON.stringify(REASONING),
  }[api] as string;
  return [
    hi,
    answer(api, [
      { type: "thinking", thinking: "pondering", thinkingSignature: signature },
      api === "openai-responses"
        ? { type: "text", text: "Hello", textSignature: '{"v":1,"id":"msg_a"}' }
        : { type: "text", text: "Hello" },
      { type: "toolCall", id: first, name: "read", arguments: { path: "a.txt" } },
      { type: "toolCall", id: second, name: "read", arguments: { path: "missing.txt" } },
    ]),
    result(first, "file a\n"),
    result(second, ENOENT, true),
  ];
}

const ephemeral = { type: "ephemeral" };

describe("anthropic-messages", () => {
  const api = "anthropic-messages";
  const TOOLS = tools.map(({ name, description }) => ({
    name,
    description,
    eager_input_streaming: true,
    input_schema: parameters,
    ...(name === "write" ? { cache_control: ephemeral } : {}),
  }));
  const first = {
    model: "claude-x",
    messages: [{ role: "user", content: [{ type: "text", text: "hi", cache_control: ephemeral }] }],
    max_tokens: 16_384,
    stream: true,
    system: [{ type: "text", text: SYS, cache_control: ephemeral }],
    tools: TOOLS,
    thinking: { type: "disabled" },
  };

  test("first request, thinking off", async () => {
    const { url, headers, body } = await sent(model(api), [hi]);
    expect(body).toEqual(first);
    expect(url).toBe("http://127.0.0.1:9/v1/messages?beta=true");
    expect(headers).toMatchObject({
      "x-api-key": "key",
      "anthropic-version": "2023-06-01",
      accept: "application/json",
    });
    expect(headers["anthropic-beta"]).toBeUndefined();
    expect(headers["authorization"]).toBeUndefined();
  });

  test("high and medium", async () => {
    const high = await sent(model(api), [hi], { reasoning: "high" });
    const thinking = { type: "enabled", budget_tokens: 15_360, display: "summarized" };
    expect(high.body).toEqual({ ...first, thinking });
    expect(high.headers["anthropic-beta"]).toBe("interleaved-thinking-2025-05-14");
    const medium = await sent(model(api), [hi], { reasoning: "medium" });
    expect(medium.body["thinking"]).toEqual({ ...thinking, budget_tokens: 8192 });
  });

  test("adaptive thinking", async () => {
    const target = model(api, { compat: { forceAdaptiveThinking: true }, thinkingLevelMap: { off: null, max: "max" } });
    const on = await sent(target, [hi], { reasoning: "max" });
    expect(on.body).toMatchObject({
      thinking: { type: "adaptive", display: "summarized" },
      output_config: { effort: "max" },
    });
    expect((await sent(target, [hi], { reasoning: "minimal" })).body["output_config"]).toEqual({ effort: "low" });
    const off = await sent(target, [hi]);
    expect(off.body).not.toHaveProperty("output_config");
    // `off: null`: the lowest level stands in for off in the request of nothing at all.
    expect(off.body).not.toHaveProperty("thinking");
  });

  test("after two calls", async () => {
    const { body } = await sent(model(api), twoCalls(api));
    expect((body["messages"] as unknown[]).slice(1)).toEqual([
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "pondering", signature: "c2lnMQ==" },
          { type: "text", text: "Hello" },
          { type: "tool_use", id: "toolu_t1", name: "read", input: { path: "a.txt" } },
          { type: "tool_use", id: "toolu_t2", name: "read", input: { path: "missing.txt" } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "toolu_t1", content: "file a\n", is_error: false },
          {
            type: "tool_result",
            tool_use_id: "toolu_t2",
            content: ENOENT,
            is_error: true,
            cache_control: ephemeral,
          },
        ],
      },
    ]);
  });

  test("tool image, also of an error", async () => {
    const call: AssistantMessage["content"] = [{ type: "toolCall", id: "toolu_t1", name: "read", arguments: {} }];
    const shown: Message = { ...(result("toolu_t1", "") as Extract<Message, { role: "toolResult" }>), content: image };
    const { body } = await sent(model(api), [hi, answer(api, call), shown]);
    const block = { type: "image", source: { type: "base64", media_type: "image/png", data: "IMG" } };
    expect((body["messages"] as { content: unknown }[])[2]?.content).toEqual([
      {
        type: "tool_result",
        tool_use_id: "toolu_t1",
        content: [{ type: "text", text: "Read image file [image/png]" }, block],
        is_error: false,
        cache_control: ephemeral,
      },
    ]);
    const failed = await sent(model(api), [hi, answer(api, call), { ...shown, isError: true }], {
      cacheRetention: "none",
    });
    expect((failed.body["messages"] as { content: unknown }[])[2]?.content).toEqual([
      {
        type: "tool_result",
        tool_use_id: "toolu_t1",
        content: "Read image file [image/png]\n(image attached after the tool results)",
        is_error: true,
      },
      { type: "text", text: "Images from the error result of tool call toolu_t1 (read):" },
      block,
    ]);
  });

  test("cache for long, and not at all", async () => {
    const long = await sent(model(api), [hi], { cacheRetention: "long" });
    expect(long.body["system"]).toEqual([{ type: "text", text: SYS, cache_control: { type: "ephemeral", ttl: "1h" } }]);
    const none = await sent(model(api), [hi], { cacheRetention: "none" });
    expect(JSON.stringify(none.body)).not.toContain("cache_control");
    expect((await sent(model(api), [hi], { env: { PI_CACHE_RETENTION: "long" } })).body).toEqual(long.body);
  });

  test("tokens of a sign-in go into another header", async () => {
    const { headers } = await sent(model(api), [hi], { apiKey: "sk-ant-oat-x" });
    expect(headers["authorization"]).toBe("Bearer sk-ant-oat-x");
    expect(headers["x-api-key"]).toBeUndefined();
  });

  test("strict tools where the model has them", async () => {
    const optional = { ...tools[0], parameters: { type: "object", properties: { n: { type: "number" } } } } as Tool;
    const target = model(api, { compat: { supportsStrictTools: true } });
    const start = await sent({ ...target }, [
      { role: "system", content: "", toolsAdded: [optional], toolsRemoved: tools, timestamp: 0 },
      hi,
    ]);
    expect(start.body["tools"]).toMatchObject([
      {
        strict: true,
        input_schema: {
          properties: { n: { anyOf: [{ type: "number" }, { type: "null" }] } },
          required: ["n"],
          additionalProperties: false,
        },
      },
    ]);
  });
});

describe("openai-completions", () => {
  const api = "openai-completions";
  const TOOLS = tools.map(({ name, description }) => ({
    type: "function",
    function: { name, description, parameters },
  }));
  const first = {
    model: "gpt-x",
    messages: [
      { role: "system", content: SYS },
      { role: "user", content: [{ type: "text", text: "hi" }] },
    ],
    stream: true,
    stream_options: { include_usage: true },
    store: false,
    max_completion_tokens: 16_384,
    tools: TOOLS,
  };

  test("first request, thinking off and high", async () => {
    const { url, headers, body } = await sent(model(api), [hi]);
    expect(body).toEqual(first);
    expect(url).toBe("http://127.0.0.1:9/chat/completions");
    expect(headers).toMatchObject({ authorization: "Bearer key" });
    expect(headers).not.toHaveProperty("session_id");
    expect((await sent(model(api), [hi], { reasoning: "high" })).body).toEqual({ ...first, reasoning_effort: "high" });
  });

  test("after two calls", async () => {
    const { body } = await sent(model(api), twoCalls(api));
    expect((body["messages"] as unknown[]).slice(2)).toEqual([
      {
        role: "assistant",
        content: "Hello",
        reasoning_content: "pondering",
        tool_calls: [
          { id: "call_t1", type: "function", function: { name: "read", arguments: '{"path":"a.txt"}' } },
          { id: "call_t2", type: "function", function: { name: "read", arguments: '{"path":"missing.txt"}' } },
        ],
      },
      { role: "tool", content: "file a\n", tool_call_id: "call_t1" },
      { role: "tool", content: ENOENT, tool_call_id: "call_t2" },
    ]);
  });

  test("tool image", async () => {
    const call: AssistantMessage["content"] = [{ type: "toolCall", id: "call_t1", name: "read", arguments: {} }];
    const shown = { ...result("call_t1", ""), content: image } as Message;
    const { body } = await sent(model(api), [hi, answer(api, call), shown]);
    expect((body["messages"] as unknown[]).slice(3)).toEqual([
      { role: "tool", content: "Read image file [image/png]", tool_call_id: "call_t1" },
      {
        role: "user",
        content: [
          { type: "text", text: "Attached image(s) from tool result:" },
          { type: "image_url", image_url: { url: "data:image/png;base64,IMG" } },
        ],
      },
    ]);
  });

  test("an aborted turn leaves two user messages side by side", async () => {
    const aborted = answer(api, [{ type: "text", text: "half" }], { stopReason: "aborted" });
    const { body } = await sent(model(api), [user("A"), aborted, user("B")]);
    expect((body["messages"] as { role: string }[]).map(({ role }) => role)).toEqual(["system", "user", "user"]);
  });

  test.each<[string, Partial<Model>, Record<string, unknown>, Record<string, unknown>]>([
    ["openai", {}, { reasoning_effort: "high" }, {}],
    [
      "openai with a word for off",
      { thinkingLevelMap: { off: "none", high: "hard" } },
      { reasoning_effort: "hard" },
      { reasoning_effort: "none" },
    ],
    [
      "openrouter",
      { baseUrl: "https://openrouter.ai/api/v1" },
      { reasoning: { effort: "high" } },
      { reasoning: { effort: "none" } },
    ],
    [
      "deepseek",
      { provider: "deepseek" },
      { thinking: { type: "enabled" }, reasoning_effort: "high" },
      { thinking: { type: "disabled" } },
    ],
    [
      "zai",
      { provider: "zai" },
      { thinking: { type: "enabled", clear_thinking: false } },
      { thinking: { type: "disabled" } },
    ],
    [
      "qwen",
      { compat: { thinkingFormat: "qwen" } },
      { enable_thinking: true, reasoning_effort: "high" },
      { enable_thinking: false },
    ],
    [
      "qwen-chat-template",
      { compat: { thinkingFormat: "qwen-chat-template" } },
      { chat_template_kwargs: { enable_thinking: true, preserve_thinking: true } },
      { chat_template_kwargs: { enable_thinking: false, preserve_thinking: true } },
    ],
    [
      "chat-template",
      {
        compat: {
          thinkingFormat: "chat-template",
          chatTemplateKwargs: {
            on: { $var: "thinking.enabled" },
            effort: { $var: "thinking.effort", omitWhenOff: true },
            fixed: 1,
          },
        },
      },
      { chat_template_kwargs: { on: true, effort: "high", fixed: 1 } },
      { chat_template_kwargs: { on: false, fixed: 1 } },
    ],
    ["together", { provider: "together" }, { reasoning: { enabled: true } }, { reasoning: { enabled: false } }],
    ["string-thinking", { compat: { thinkingFormat: "string-thinking" } }, { thinking: "high" }, { thinking: "none" }],
    ["ant-ling", { provider: "ant-ling", thinkingLevelMap: { high: "high" } }, { reasoning: { effort: "high" } }, {}],
    [
      "token budget",
      { compat: { thinkingTokenBudgetField: "thinking_budget" } },
      { reasoning_effort: "high", thinking_budget: 15_360 },
      {},
    ],
  ])("thinking format %s", async (_name, overrides, on, off) => {
    const known = /^(reasoning|thinking|enable_thinking|chat_template)/;
    const fields = (body: Record<string, unknown>): Record<string, unknown> =>
      Object.fromEntries(Object.entries(body).filter(([name]) => known.test(name)));
    expect(fields((await sent(model(api, overrides), [hi], { reasoning: "high" })).body)).toEqual(on);
    expect(fields((await sent(model(api, overrides), [hi])).body)).toEqual(off);
  });

  test("cache key and affinity", async () => {
    const official = await sent(model(api, { provider: "openai", baseUrl: "https://api.openai.com/v1" }), [hi]);
    expect(official.body).toMatchObject({ prompt_cache_key: SID });
    expect((official.body["messages"] as { role: string }[])[0]?.role).toBe("developer");
    const long = await sent(model(api), [hi], { cacheRetention: "long" });
    expect(long.body).toMatchObject({ prompt_cache_key: SID, prompt_cache_retention: "24h" });
    const router = await sent(model(api, { provider: "openrouter", baseUrl: "https://openrouter.ai/api/v1" }), [hi]);
    expect(router.headers).toMatchObject({ "x-session-id": SID });
  });

  test("sampling parameters come last", async () => {
    const target = model(api, {
      samplingParams: { top_p: 0.5, top_k: 1 },
      samplingParamsByThinkingLevel: { high: { top_p: 0.9 } },
    });
    const { body } = await sent(target, [hi], { reasoning: "high", samplingParams: { top_k: 2, store: true } });
    expect(body).toMatchObject({ top_p: 0.9, top_k: 2, store: true });
  });
});

describe("openai-responses", () => {
  const api = "openai-responses";
  const TOOLS = tools.map(({ name, description }) => ({ type: "function", name, description, parameters }));
  const first = {
    model: "gpt-r",
    input: [
      { role: "developer", content: SYS },
      { role: "user", content: [{ type: "input_text", text: "hi" }] },
    ],
    stream: true,
    prompt_cache_key: SID,
    store: false,
    max_output_tokens: 16_384,
    tools: TOOLS,
    reasoning: { effort: "none" },
  };

  test("first request, thinking off and high", async () => {
    const { url, headers, body } = await sent(model(api), [hi]);
    expect(body).toEqual(first);
    expect(url).toBe("http://127.0.0.1:9/responses");
    expect(headers).toMatchObject({ authorization: "Bearer key", "session-id": SID, "x-client-request-id": SID });
    expect((await sent(model(api), [hi], { reasoning: "high" })).body).toEqual({
      ...first,
      reasoning: { effort: "high", summary: "auto" },
      include: ["reasoning.encrypted_content"],
    });
  });

  test("after two calls", async () => {
    const { body } = await sent(model(api), twoCalls(api));
    const call = (n: number, path: string) => ({
      type: "function_call",
      id: `fc_t${n}`,
      call_id: `call_t${n}`,
      name: "read",
      arguments: JSON.stringify({ path }),
    });
    expect((body["input"] as unknown[]).slice(2)).toEqual([
      REASONING,
      {
        type: "message",
        role: "assistant",
        content: [{ type: "output_text", text: "Hello", annotations: [] }],
        status: "completed",
        id: "msg_a",
      },
      call(1, "a.txt"),
      call(2, "missing.txt"),
      { type: "function_call_output", call_id: "call_t1", output: "file a\n" },
      { type: "function_call_output", call_id: "call_t2", output: ENOENT },
    ]);
  });

  test("tool image", async () => {
    const call: AssistantMessage["content"] = [{ type: "toolCall", id: "call_t1|fc_t1", name: "read", arguments: {} }];
    const shown = { ...result("call_t1|fc_t1", ""), content: image } as Message;
    const { body } = await sent(model(api), [hi, answer(api, call), shown]);
    expect((body["input"] as unknown[]).at(-1)).toEqual({
      type: "function_call_output",
      call_id: "call_t1",
      output: [
        { type: "input_text", text: "Read image file [image/png]" },
        { type: "input_image", detail: "auto", image_url: "data:image/png;base64,IMG" },
      ],
    });
  });

  test("fields a ChatGPT sign-in does not get", async () => {
    const target = model(api, { provider: "openai", baseUrl: "https://api.openai.com/v1" });
    const { body } = await sent(target, [hi], { apiKey: "eyJ", temperature: 1 });
    for (const field of ["max_output_tokens", "temperature", "prompt_cache_key"])
      expect(body).not.toHaveProperty(field);
  });
});

describe("hand-over between models (llm-wire.md section 12)", () => {
  const conversation = (from: string): Message[] => [
    ...twoCalls(from),
    answer(from, [{ type: "text", text: "Hello" }], { stopReason: "stop" }),
    user("continue please"),
  ];

  test("responses to anthropic", async () => {
    const { body } = await sent(model("anthropic-messages"), conversation("openai-responses"));
    const [, second, results, third, last] = body["messages"] as { content: Record<string, unknown>[] }[];
    expect(second?.content.map((block) => block["type"])).toEqual(["text", "tool_use", "tool_use"]);
    expect(second?.content.map((block) => block["id"])).toEqual([undefined, "call_t1_fc_t1", "call_t2_fc_t2"]);
    expect(results?.content.map((block) => block["tool_use_id"])).toEqual(["call_t1_fc_t1", "call_t2_fc_t2"]);
    expect(JSON.stringify([second, results, third])).not.toContain("cache_control");
    expect(JSON.stringify(last)).toContain("cache_control");
  });

  test("anthropic to completions", async () => {
    const { body } = await sent(model("openai-completions"), conversation("anthropic-messages"));
    const message = (body["messages"] as Record<string, unknown>[])[2];
    expect(message).toMatchObject({ role: "assistant", content: "Hello", tool_calls: [{ id: "toolu_t1" }, {}] });
    expect(message).not.toHaveProperty("reasoning_content");
  });

  test.each([
    ["openai-completions", "call_t1"],
    ["anthropic-messages", "toolu_t1"],
  ])("%s to responses", async (from, id) => {
    const { body } = await sent(model("openai-responses"), conversation(from));
    const items = (body["input"] as Record<string, unknown>[]).slice(2);
    expect(items[0]).toMatchObject({ type: "message", id: "msg_pi_1" });
    expect(items[1]).toMatchObject({ type: "function_call", call_id: id });
    expect(items[1]).not.toHaveProperty("id");
    expect(items[5]).toMatchObject({ type: "message", id: "msg_pi_4" });
  });
});
