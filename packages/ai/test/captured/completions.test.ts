import { describe, expect, test } from "vitest";
import type { AssistantMessage, Message, Model } from "../../src/types.js";
import { ENOENT, hi, image, parameters, result, SID, SYS, user } from "./captured.js";
import { answer, model, sent, tools, twoCalls } from "./stored.js";

/** Requests of llm-wire.md section 2. */

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
          { type: "image_url", image_url: { url: "data:image/png;base64,aW1n" } },
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
