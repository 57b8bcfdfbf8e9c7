import { describe, expect, test } from "vitest";
import type { AssistantMessage, Message } from "../../src/types.js";
import { ENOENT, hi, image, parameters, result, SID, SYS } from "./captured.js";
import { answer, model, REASONING, sent, tools, twoCalls } from "./stored.js";

/** Requests of llm-wire.md section 3. */

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
        { type: "input_image", detail: "auto", image_url: "data:image/png;base64,aW1n" },
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
