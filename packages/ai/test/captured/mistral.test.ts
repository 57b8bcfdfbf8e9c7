import { describe, expect, test } from "vitest";
import type { Model, SimpleStreamOptions } from "../../src/types.js";
import { ENOENT, hi, image, model, parameters, result, SID, SIGNATURE, SYS, sent, twoCalls } from "./captured.js";

/** Requests of llm-wire.md section 8, and hand-overs to it (section 12). */

describe("mistral-conversations", () => {
  const mistral = model("mistral-conversations", { id: "devstral" });

  test("first request; hooks see camel case", async () => {
    const { url, headers, body, payload } = await sent(mistral, [hi], { reasoning: "high", temperature: 0.5 });
    expect(url).toBe("http://127.0.0.1:9/v1/chat/completions");
    expect(headers).toMatchObject({ authorization: "Bearer key", accept: "text/event-stream", "x-affinity": SID });
    const common = {
      model: "devstral",
      stream: true,
      messages: [
        { role: "system", content: SYS },
        { role: "user", content: [{ type: "text", text: "hi" }] },
      ],
      tools: [{ type: "function", function: { name: "read", description: "Reads", parameters, strict: false } }],
      temperature: 0.5,
    };
    expect(body).toEqual({ ...common, max_tokens: 16_384, prompt_mode: "reasoning", prompt_cache_key: SID });
    expect(payload).toEqual({ ...common, maxTokens: 16_384, promptMode: "reasoning", promptCacheKey: SID });
  });

  test("no session, no thinking", async () => {
    const { headers, body } = await sent(mistral, [hi], { cacheRetention: "none" });
    expect(headers["x-affinity"]).toBeUndefined();
    expect(Object.keys(body).sort()).toEqual(["max_tokens", "messages", "model", "stream", "tools"]);
  });

  test.each<[SimpleStreamOptions, Partial<Model>, string | undefined]>([
    [{ reasoning: "high" }, { thinkingLevelMap: { off: "none", high: "hard" } }, "hard"],
    [{ reasoning: "low" }, { thinkingLevelMap: { off: "none" } }, "high"],
    [{}, { thinkingLevelMap: { off: "none" } }, "none"],
    [{}, { thinkingLevelMap: { high: "high" } }, undefined],
  ])("effort with %j and %j", async (options, overrides, expected) => {
    const { body } = await sent({ ...mistral, ...overrides }, [hi], options);
    expect([body["reasoning_effort"], body["prompt_mode"]]).toEqual([expected, undefined]);
  });

  test("after two calls, with an image and an error", async () => {
    const messages = twoCalls(mistral, ["abcdefgh1", "abcdefgh2"], {});
    messages[2] = { ...result("abcdefgh1", ""), content: image };
    const { body } = await sent(mistral, messages);
    const call = (id: string, path: string) => ({
      id,
      type: "function",
      function: { name: "read", arguments: JSON.stringify({ path }) },
      index: 0,
    });
    expect((body["messages"] as unknown[]).slice(2)).toEqual([
      {
        role: "assistant",
        prefix: false,
        content: [
          { type: "thinking", thinking: [{ type: "text", text: "pondering" }] },
          { type: "text", text: "Hello" },
        ],
        tool_calls: [call("abcdefgh1", "a.txt"), call("abcdefgh2", "missing.txt")],
      },
      {
        role: "tool",
        tool_call_id: "abcdefgh1",
        name: "read",
        content: [
          { type: "text", text: "Read image file [image/png]" },
          { type: "image_url", image_url: "data:image/png;base64,aW1n" },
        ],
      },
      {
        role: "tool",
        tool_call_id: "abcdefgh2",
        name: "read",
        content: [{ type: "text", text: `[tool error] ${ENOENT}` }],
      },
    ]);
  });

  test("from Anthropic", async () => {
    const from = model("anthropic-messages", { id: "claude-x", provider: "anth" });
    const { body } = await sent(mistral, twoCalls(from, ["toolu_t1", "toolu_t2"], { thinking: SIGNATURE }));
    const [, , assistant, first, second] = body["messages"] as Record<string, unknown>[];
    const ids = ((assistant?.["tool_calls"] ?? []) as { id: string }[]).map(({ id }) => id);
    expect(ids).toHaveLength(2);
    for (const id of ids) expect(id).toMatch(/^[a-z0-9]{9}$/);
    expect([first?.["tool_call_id"], second?.["tool_call_id"]]).toEqual(ids);
    expect(assistant?.["content"]).toEqual([{ type: "text", text: "Hello" }]);
  });
});
