import { describe, expect, test } from "vitest";
import type { AssistantMessage, Message, Tool } from "../../src/types.js";
import { ENOENT, hi, image, parameters, result, SYS } from "./captured.js";
import { answer, ephemeral, model, sent, tools, twoCalls } from "./stored.js";

/** Requests of llm-wire.md section 6. */

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
    const block = { type: "image", source: { type: "base64", media_type: "image/png", data: "aW1n" } };
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
